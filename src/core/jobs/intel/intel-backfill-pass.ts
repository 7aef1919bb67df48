import { setTimeout as sleep } from "node:timers/promises";
import { orient } from "../../../domain/flow/ends.ts";
import { indicatorsAddedSince } from "../../../domain/intel/added.ts";
import { factHits, hitsOf, type IsInternal, type PartyHit, peerHits } from "../../../domain/intel/hits.ts";
import type { IntelSet } from "../../../domain/intel/intel-set.ts";
import { addSighting, matchKey, type Sightings } from "../../../domain/intel/sightings.ts";
import { MarkFold, type MatchedRecord } from "../../../domain/graph/marks.ts";
import type { Database, Tx } from "../../../store/engine/database.ts";
import { flowsByIds, timeOfId } from "../../../store/flow/read.ts";
import { recordMarks } from "../../../store/graph/marks.ts";
import { matchProgress, recordPastMatches } from "../../../store/intel/match.ts";
import { setPastMatched } from "../../../store/intel/state.ts";
import {
  flowsOfAddresses,
  flowsOfRange,
  observationsOfFlows,
  scanFacts,
  scanFlows,
  type ScannedFacts,
  type ScannedFlow,
  type ScannedObservation,
} from "../../../store/intel/scan.ts";

interface PassInput {
  db: Database;
  tenantId: string;
  isInternal: IsInternal;
  /** The indicators to match. */
  set: IntelSet;
  /** Indicators against which everything was already matched; null if unknown. */
  base: IntelSet | null;
  /** The newest batch to read; the pipeline matched later ones on arrival. */
  batch: number;
  /** Flows that began before are on no map any more; microseconds. */
  shownSince: number;
  /** Called between slices; false aborts the pass without effect. */
  shouldContinue: (progress: PassProgress) => Promise<boolean>;
  /** Called in the transaction that writes the matches. */
  announce?: AnnounceBackfill;
}

/**
 * Handles matches found in stored records; takes effect exactly once per match, with the transaction's
 * commit.
 */
export type AnnounceBackfill = (tx: Tx, tenantId: string, found: readonly Sightings[]) => Promise<void>;

/** Progress of a pass. */
export interface PassProgress {
  flows: number;
  observations: number;
  matches: number;
}

/** Rows per query, bounded so that a slice does not block the core's thread or the database. */
const FLOWS = 5000;
const OBSERVATIONS = 2000;
/** Beyond these counts, scanning every flow is cheaper than index lookups. */
const MAX_ADDRESSES = 5000;
const MAX_NETWORKS = 200;
const ADDRESSES_AT_ONCE = 100;
const MAX_FLOWS_AT_ONCE = 50_000;
/** Matches (address and indicator) per pass; more indicate a faulty list. */
const MAX_MATCHES = 200_000;
const MAX_PAUSE_MILLISECONDS = 250;

/**
 * Matches stored records of batches up to `batch` against indicators added since, and finally writes the
 * matches as the pipeline would have. Returns null if it was aborted.
 */
export async function runBackfillPass(input: PassInput): Promise<PassProgress | null> {
  return await new Pass(input).run();
}

class Pass {
  readonly #found = new Map<string, Sightings>();
  /** Existing matches: the batch up to which sightings still have to be counted. */
  readonly #limits = new Map<string, number>();
  readonly #marks = new MarkFold();
  #flows = 0;
  #observations = 0;

  constructor(private readonly input: PassInput) {}

  async run(): Promise<PassProgress | null> {
    const { set, batch } = this.input;
    if (set.size > 0 && batch > 0) {
      await this.#readLimits();
      if (!(await this.#matchFlows()) || !(await this.#matchFacts())) return null;
    }
    await this.#write();
    return this.#progress();
  }

  #progress(): PassProgress {
    return { flows: this.#flows, observations: this.#observations, matches: this.#found.size };
  }

  async #readLimits(): Promise<void> {
    for (const row of await this.#read((tx, tenantId) => matchProgress(tx, tenantId))) {
      this.#limits.set(matchKey(row.party_ip, row), row.counted_after);
    }
  }

  async #matchFlows(): Promise<boolean> {
    const indexed = await this.#matchIndexedFlows();
    if (indexed !== "too many") return indexed;
    this.#found.clear();
    this.#flows = 0;
    let after: string | null = null;
    return await this.#slices(async () => {
      const flows = await this.#read((tx, tenantId) => scanFlows(tx, tenantId, after, FLOWS));
      await this.#addFlows(flows);
      after = flows.at(-1)?.flowId ?? null;
      return flows.length === FLOWS;
    });
  }

  /** Matches by address index, if only few indicators are new. */
  async #matchIndexedFlows(): Promise<boolean | "too many"> {
    const { set, base } = this.input;
    if (base === null) return "too many";
    const added = indicatorsAddedSince(base, set);
    const ips = upTo(added.ip, MAX_ADDRESSES);
    const networks = upTo(added.cidr, MAX_NETWORKS);
    if (ips === null || networks === null) return "too many";
    let tooMany = false;
    const addFrom = async (query: (tx: Tx, tenantId: string) => Promise<ScannedFlow[]>, more: boolean) => {
      const flows = await this.#read(query);
      tooMany = flows.length === MAX_FLOWS_AT_ONCE;
      if (!tooMany) await this.#addFlows(flows);
      return more && !tooMany;
    };
    const ended = await this.#slices(async () => {
      const some = ips.splice(0, ADDRESSES_AT_ONCE);
      if (some.length > 0) {
        return await addFrom(
          (tx, tenantId) => flowsOfAddresses(tx, tenantId, some, MAX_FLOWS_AT_ONCE),
          ips.length + networks.length > 0,
        );
      }
      const network = networks.pop();
      return network !== undefined &&
        await addFrom(
          (tx, tenantId) => flowsOfRange(tx, tenantId, network, MAX_FLOWS_AT_ONCE),
          networks.length > 0,
        );
    });
    return tooMany ? "too many" : ended;
  }

  async #addFlows(flows: readonly ScannedFlow[]): Promise<void> {
    const { set, isInternal } = this.input;
    this.#flows += flows.length;
    const others = new Map<string, PartyHit[]>();
    for (const { flowId, srcIp, dstIp, folded, others: hasOthers } of flows) {
      const hits = peerHits(set, srcIp, dstIp, isInternal);
      if (hits.length === 0) continue;
      if (folded !== null) this.#add(hits, folded);
      if (hasOthers) others.set(flowId, hits);
    }
    const observations = await this.#read((tx, tenantId) =>
      observationsOfFlows(tx, tenantId, [...others.keys()])
    );
    for (const observation of observations) this.#add(others.get(observation.flowId)!, observation);
  }

  async #matchFacts(): Promise<boolean> {
    let after: ScannedFacts | null = null;
    return await this.#slices(async () => {
      const some: ScannedFacts[] = await this.#read((tx, tenantId) =>
        scanFacts(tx, tenantId, after, OBSERVATIONS)
      );
      await this.#addFacts(some);
      after = some.at(-1) ?? null;
      return some.length === OBSERVATIONS;
    });
  }

  async #addFacts(some: readonly ScannedFacts[]): Promise<void> {
    const { set, isInternal } = this.input;
    this.#observations += some.length;
    const matching = some.filter(({ facts }) => facts !== null && factHits(set, facts).length > 0);
    const flows = await this.#read((tx, tenantId) =>
      flowsByIds(tx, tenantId, [...new Set(matching.map(({ flowId }) => flowId))])
    );
    for (const observation of matching) {
      const flow = flows.get(observation.flowId);
      if (flow === undefined) continue;
      const { src, dst } = orient(flow.src, flow.dst, observation.srcLow);
      const found = hitsOf(set, { src, dst }, observation.facts, isInternal);
      this.#mark(flow.flowId, { src, dst, hits: found });
      // The flow itself already accounted for matches of its end addresses.
      const atEnds = new Set(peerHits(set, src.ip, dst.ip, isInternal).map(keyOf));
      for (const hit of found) {
        if (atEnds.has(keyOf(hit))) this.#addVias(hit);
        else this.#add([hit], observation);
      }
    }
  }

  #add(hits: readonly PartyHit[], observation: ScannedObservation): void {
    for (const hit of hits) {
      const key = keyOf(hit);
      if (observation.batchNo > (this.#limits.get(key) ?? this.input.batch)) continue;
      if (this.#found.has(key) || this.#found.size < MAX_MATCHES) addSighting(this.#found, hit, observation);
    }
  }

  #mark(flowId: string, matched: Omit<MatchedRecord, "anchor">): void {
    const anchor = timeOfId(flowId);
    if (anchor < this.input.shownSince || this.#marks.size >= MAX_MATCHES) return;
    this.#marks.add({ anchor, ...matched });
  }

  #addVias({ vias, ...hit }: PartyHit): void {
    const known = this.#found.get(keyOf(hit));
    for (const via of vias) if (known && !known.vias.includes(via)) known.vias.push(via);
  }

  async #write(): Promise<void> {
    const { db, tenantId, set, batch, announce } = this.input;
    await db.tenant(tenantId, async (tx) => {
      const found = [...this.#found.values()];
      // Same lock order as the pipeline's rounds, to avoid a deadlock.
      await setPastMatched(tx, tenantId, set.digest, batch);
      await recordPastMatches(tx, tenantId, found);
      await recordMarks(tx, tenantId, this.#marks.marks);
      await announce?.(tx, tenantId, found);
    });
  }

  /** Runs slices until one reports the end. Pauses between slices; false if the pass was aborted. */
  async #slices(work: () => Promise<boolean>): Promise<boolean> {
    for (;;) {
      const start = performance.now();
      const more = await work();
      if (!(await this.input.shouldContinue(this.#progress()))) return false;
      if (!more) return true;
      await sleep(Math.min(MAX_PAUSE_MILLISECONDS, performance.now() - start));
    }
  }

  #read<T>(query: (tx: Tx, tenantId: string) => Promise<T>): Promise<T> {
    const { db, tenantId } = this.input;
    return db.tenant(tenantId, (tx) => query(tx, tenantId));
  }
}

function keyOf({ partyIp, match }: Pick<PartyHit, "partyIp" | "match">): string {
  return matchKey(partyIp, match);
}

/** Returns the items, or null if there are more than `max`. */
function upTo<T>(items: Iterable<T>, max: number): T[] | null {
  const some: T[] = [];
  for (const item of items) {
    if (some.length === max) return null;
    some.push(item);
  }
  return some;
}
