import { ApiError } from "../../contract/request/errors.ts";
import type { Site } from "../../contract/site.ts";
import type { Grouped } from "../../contract/filter/group.ts";
import { buildGraph } from "../../domain/graph/build.ts";
import type { Graph } from "../../domain/graph/graph.ts";
import { markTraffic } from "../../domain/graph/marks.ts";
import { filterTraffic, namesService, type RelatedMatches } from "../../domain/graph/pair-filter.ts";
import { MINUTE } from "../../domain/graph/traffic.ts";
import { addressTraffic } from "../../domain/graph/traffic-table.ts";
import type { SearchContext } from "../../domain/search/criterion.ts";
import { groupsOf, type SomeOf } from "../../domain/search/parts.ts";
import type { IntelSet } from "../../domain/intel/intel-set.ts";
import { BoundedMap } from "../../kit/bounded-map.ts";
import type { Cidr } from "../../kit/net/ip.ts";
import { SingleFlight } from "../../kit/threads/single-flight.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import type { Places } from "./address-facts.ts";
import { openIncidentsOf, relatedTo } from "../../store/graph/context.ts";
import { type IncidentTraffic, trafficOfIncident } from "../../store/graph/incident-traffic.ts";
import { marksOf } from "../../store/graph/marks.ts";
import {
  type GraphVersion,
  graphVersion,
  isSameVersion,
  processedUntil,
} from "../../store/graph/position.ts";
import { type MinuteWindow, TRAFFIC_KEPT, trafficOfFlows } from "../../store/graph/traffic.ts";
import { FairSlots } from "../../kit/threads/fair-slots.ts";
import { outsideRequest } from "../../observe/request-scope.ts";
import { searching } from "../search/searching.ts";
import { graphCondition } from "./graph-filter.ts";
import { contentOf, type GraphContent } from "./graph-content.ts";
import { GraphCache } from "./graph-cache.ts";
import { type GraphScope, scopeKey } from "./graph-scope.ts";

/** A graph, and what it includes. */
export interface ComputedGraph {
  graph: Graph;
  /** Made when it is first read. */
  readonly content: GraphContent;
  window: MinuteWindow;
  version: GraphVersion;
  /** Records that were committed until then are included; microseconds. */
  watermark: number;
  /** Pairs of addresses in the window, to which the cost of the graph is proportional. */
  pairs: number;
}

interface GraphRequest {
  scope: GraphScope;
  window: MinuteWindow;
  /** Only the traffic that is evidence of it. */
  incident?: IncidentTraffic | null;
  /** Microseconds. */
  now: number;
}

interface Known {
  state: ComputedGraph;
  /** When it was computed, by `performance.now()`. */
  computedAt: number;
}

/** Graphs in memory, each at most about 1 MB. */
const MAX_KNOWN = 32;
/** Graphs that are computed at a time, tenants in turn: there may be as many filters as requests. */
const MAX_COMPUTING = 2;
/** Names, VLANs and places of devices and addresses may change without a new batch. */
const MAX_AGE_MILLISECONDS = 2000;
/** A graph of more pairs takes so long that it is not computed again for each batch. */
const MANY_PAIRS = 20_000;
/**
 * How long a graph of many pairs is used although there are newer batches: several times what it costs, so that
 * computing it takes a fraction of a processor. The watermark says how old it is.
 */
const REUSE_MILLISECONDS_PER_PAIR = 0.05;

/** All statements of a graph together: its first read may be large. Less than what a request may take (25 s). */
const READ_MILLISECONDS = 20_000;
/** When to ask again for a graph whose first read was interrupted. */
const AGAIN_SECONDS = 1;

/** The threat intelligence lists. */
interface GraphIntel {
  /** Null until they are loaded. */
  current(): IntelSet | null;
  /** Whether an address is within the tenant's networks, so that lists say nothing about it. */
  isInternal(tenantId: string, ip: string): boolean;
}

export interface GraphDeps {
  db: Database;
  tenants: ReadonlyMap<string, { site: Site; networks: readonly Cidr[] }>;
  /** Without it addresses have no location. */
  geoip?: Places;
  /** Without it nothing is marked. */
  intel?: GraphIntel;
}

/**
 * The graphs of all tenants. Callers that ask for one graph at the same time share its computation, and later ones use
 * it until the pipeline has processed another batch or an open incident has changed.
 */
export class Graphs {
  readonly cache = new GraphCache();
  readonly #known = new BoundedMap<string, Known>(MAX_KNOWN);
  readonly #running = new SingleFlight<ComputedGraph>();
  readonly #slots = new FairSlots(MAX_COMPUTING);

  constructor(private readonly deps: GraphDeps) {}

  /**
   * @throws ApiError still_reading if the first read of the tenant's traffic takes too long: the next graph continues it;
   * search_too_broad if another window takes too long to read
   */
  of(tenantId: string, request: GraphRequest): Promise<ComputedGraph> {
    const { scope, window, incident } = request;
    const key = JSON.stringify([
      tenantId,
      scopeKey(scope),
      window.from,
      window.to,
      ...incident ? [incident.incidentId, incident.flowIds.length] : [],
    ]);
    return this.#running.run(() => outsideRequest(() => this.#current(key, tenantId, request)), key);
  }

  async #current(key: string, tenantId: string, request: GraphRequest): Promise<ComputedGraph> {
    const known = this.#known.renew(key);
    if (known !== undefined && await this.#isUsable(tenantId, known)) return known.state;
    this.#known.delete(key);
    const state = await this.compute(tenantId, request);
    this.#known.set(key, { state, computedAt: performance.now() });
    return state;
  }

  /**
   * Reads and builds a graph, which is not kept.
   *
   * @param through Shows the traffic as the batches up to this one have left it; null for all batches.
   */
  compute(tenantId: string, request: GraphRequest, through: number | null = null): Promise<ComputedGraph> {
    return this.#slots.run(tenantId, async () => {
      try {
        return await computeGraph(this.deps, this.cache, tenantId, request, through);
      } catch (error) {
        const goesOn = usesRollups(request) && this.cache.traffic.isReading(tenantId);
        throw goesOn && isTooBroad(error) ? stillReading() : error;
      }
    });
  }

  async #isUsable(tenantId: string, { state, computedAt }: Known): Promise<boolean> {
    const age = performance.now() - computedAt;
    const reuse = state.pairs > MANY_PAIRS ? state.pairs * REUSE_MILLISECONDS_PER_PAIR : 0;
    if (age < reuse) return true;
    if (age >= MAX_AGE_MILLISECONDS + reuse) return false;
    const version = await this.deps.db.tenant(tenantId, (tx) => versionOf(tx, tenantId, this.deps));
    return isSameVersion(version, state.version);
  }
}

/** Whether the rollups are kept from the beginning of the window on; otherwise its flows are read. */
function usesRollups({ window, incident = null, now }: Omit<GraphRequest, "scope">): boolean {
  return incident === null && window.from >= now - TRAFFIC_KEPT - MINUTE;
}

function isTooBroad(error: unknown): boolean {
  return error instanceof ApiError && error.details.reason === "search_too_broad";
}

function stillReading(): ApiError {
  const message = "The traffic of the last day is still being read; ask again.";
  return new ApiError("source_unavailable", message, { reason: "still_reading" }, undefined, AGAIN_SECONDS);
}

/** Where the tenant stands, with the lists that its graphs are marked by. */
export async function versionOf(
  tx: Tx,
  tenantId: string,
  { intel }: Pick<GraphDeps, "intel">,
): Promise<GraphVersion> {
  const version = await graphVersion(tx, tenantId);
  return { ...version, changes: `${version.changes} ${intel?.current()?.digest ?? ""}` };
}

async function computeGraph(
  deps: GraphDeps,
  cache: GraphCache,
  tenantId: string,
  { scope, window, incident = null, now }: GraphRequest,
  through: number | null,
): Promise<ComputedGraph> {
  const { db, tenants, geoip } = deps;
  const { site, networks } = tenants.get(tenantId)!;
  const condition = scope.filter === null ? null : graphCondition(scope.filter);
  const byService = condition !== null && namesService(condition);
  const context = { now, zone: "UTC", vlans: site.vlans };
  const lists = deps.intel?.current() ?? null;
  const { version, watermark, traffic, devices, incidents, marks, related } = await searching(
    db,
    tenantId,
    async (tx) => {
      const version = await versionOf(tx, tenantId, deps);
      return {
        version,
        watermark: await processedUntil(tx, tenantId, now),
        traffic: incident !== null
          ? addressTraffic(await trafficOfIncident(tx, tenantId, incident, window, byService), byService)
          : usesRollups({ window, now })
          ? await cache.traffic.sum(tx, tenantId, window, {
            through: through ?? version.batchNo,
            version,
            now,
            byService,
          })
          : addressTraffic(await trafficOfFlows(tx, tenantId, window, byService), byService),
        devices: await cache.devicesOf(tx, tenantId, site, version),
        incidents: await openIncidentsOf(tx, tenantId, now),
        marks: lists === null || lists.size === 0 ? [] : await marksOf(tx, tenantId, window),
        related: await relatedToGroups(tx, tenantId, condition, context),
      };
    },
    READ_MILLISECONDS,
  );
  const facts = cache.factsOf(site, networks);
  const placeOf = facts.placesOf(geoip);
  const { vlanOf } = facts;
  const matchesOf = lists === null || lists.size === 0
    ? () => []
    : markTraffic(traffic, marks, lists, (ip) => deps.intel!.isInternal(tenantId, ip));
  const graph = buildGraph({
    ...scope,
    window,
    pairs: condition === null
      ? traffic
      : filterTraffic(traffic, condition, { devices, placeOf, vlanOf, matchesOf, related }, context),
    directory: cache.directoryOf(traffic.addresses),
    devices,
    incidents,
    site,
    placeOf,
    vlanOf,
    broadcasts: facts.broadcasts,
  });
  let content: GraphContent | null = null;
  return {
    graph,
    get content() {
      return content ??= contentOf(graph);
    },
    window,
    version,
    watermark,
    pairs: traffic.table.size,
  };
}

async function relatedToGroups(
  tx: Tx,
  tenantId: string,
  condition: Grouped | null,
  context: SearchContext,
): Promise<Map<SomeOf, RelatedMatches>> {
  const related = new Map<SomeOf, RelatedMatches>();
  if (condition === null) return related;
  for (const group of groupsOf(condition)) related.set(group, await relatedTo(tx, tenantId, group, context));
  return related;
}
