import type { Severity } from "../../contract/record/kinds.ts";
import { SEVERITIES } from "../../contract/record/kinds.ts";
import { Counts } from "./counts.ts";
import { type End, EndDirectory } from "./end-directory.ts";
import type { GraphInput } from "./input.ts";
import { NumberPairs } from "./number-pairs.ts";
import { type AddressTraffic, addressTraffic, type TrafficTable } from "./traffic-table.ts";

export type { End } from "./end-directory.ts";

export interface EndInput extends GraphInput {
  /** Of the addresses of `pairs`, if it is kept for further graphs. */
  directory?: EndDirectory;
}

export interface EndGraph {
  ends: readonly End[];
  /** Links between ends, without those of an end with itself: entries of `table`. */
  links: Int32Array;
  /** Traffic of links. Its own ends are addresses. */
  table: Omit<TrafficTable, "low" | "high">;
  /** The two ends of each link, by their numbers; traffic goes up from the low one to the high one. */
  low: Int32Array;
  high: Int32Array;
  /** All ends by their number, also some that have no traffic. */
  byNo: readonly End[];
  totals: EndTotals;
  /** `node_id` of clusters by their number. */
  clusters: readonly string[];
  /** Of the links with incidents, whose flows are between the two. */
  concerns: ReadonlyMap<number, LinkConcern>;
}

/** What open incidents say of a link. */
export interface LinkConcern {
  /** The rank of the worst one. */
  rank: number;
  /** Indices in the input, ascending. */
  incidents: readonly number[];
}

/** In place of the number of an end. */
const NO_END = -1;

/** Higher for worse ones. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

export function severityOfRank(rank: number): Severity | null {
  return SEVERITIES[rank] ?? null;
}

/** Sorts by code points, which does not depend on a locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What all pairs of each end have together, by the number of the end. */
export class EndTotals {
  readonly bytes: Counts;
  readonly flows: Float64Array;
  readonly firstSeen: Float64Array;
  readonly lastSeen: Float64Array;
  /** 1 for true. */
  readonly intel: Uint8Array;
  /** The rank of the worst open incident; -1 without any. */
  readonly severity: Int8Array;
  /** 1 for ends with traffic. */
  readonly isSeen: Uint8Array;
  /** Indices of open incidents in the input, ascending; none for ends without any. */
  readonly #incidents = new Map<number, number[]>();

  constructor(size: number) {
    this.bytes = new Counts(size);
    this.flows = new Float64Array(size);
    this.firstSeen = new Float64Array(size).fill(Infinity);
    this.lastSeen = new Float64Array(size).fill(-Infinity);
    this.intel = new Uint8Array(size);
    this.severity = new Int8Array(size).fill(-1);
    this.isSeen = new Uint8Array(size);
  }

  count(no: number, table: TrafficTable, at: number): void {
    this.bytes.addFrom(no, table.bytesUp, at);
    this.bytes.addFrom(no, table.bytesDown, at);
    this.flows[no]! += table.flows[at]!;
    this.firstSeen[no] = Math.min(this.firstSeen[no]!, table.firstSeen[at]!);
    this.lastSeen[no] = Math.max(this.lastSeen[no]!, table.lastSeen[at]!);
    this.intel[no]! |= table.intel[at]!;
    this.isSeen[no] = 1;
  }

  addIncident(no: number, incident: number, rank: number): void {
    const known = this.#incidents.get(no);
    if (known === undefined) this.#incidents.set(no, [incident]);
    else known.push(incident);
    this.severity[no] = Math.max(this.severity[no]!, rank);
  }

  incidents(no: number): readonly number[] {
    return this.#incidents.get(no) ?? [];
  }
}

/** Adds up the pairs of addresses between ends: a device may have several addresses. */
export function endGraph(input: EndInput): EndGraph {
  const traffic = "table" in input.pairs ? input.pairs : addressTraffic(input.pairs);
  const directory = input.directory ?? new EndDirectory(traffic.addresses);
  directory.use(input);
  const { table } = traffic;
  const [low, high] = [new Int32Array(table.size), new Int32Array(table.size)];
  for (let at = 0; at < table.size; at++) {
    const [one, other] = [directory.endOf(table.low[at]!), directory.endOf(table.high[at]!)];
    // Traffic with no other host counts for the one that there is.
    low[at] = (one ?? other)?.no ?? NO_END;
    high[at] = (other ?? one)?.no ?? NO_END;
  }
  const totals = new EndTotals(directory.ends.length);
  const links = new Int32Array(table.size);
  let size = 0;
  for (let at = 0; at < table.size; at++) {
    if (low[at] === NO_END) continue;
    totals.count(low[at]!, table, at);
    if (low[at] === high[at]) continue;
    totals.count(high[at]!, table, at);
    links[size++] = at;
  }
  const graph = {
    ...merged(directory, { table, low, high, links: links.subarray(0, size) }),
    ends: directory.ends.filter(({ no }) => totals.isSeen[no] === 1),
    byNo: directory.ends,
    totals,
    clusters: directory.clusters,
  };
  return { ...graph, concerns: addIncidents(input, traffic, directory, graph) };
}

interface Links {
  table: TrafficTable;
  low: Int32Array;
  high: Int32Array;
  links: Int32Array;
}

/** Adds up the links between the same two ends, of which one has several addresses. */
function merged(directory: EndDirectory, { table, low, high, links }: Links): Links {
  if (!directory.hasShared) return { table, low, high, links };
  const isShared = Uint8Array.from(directory.ends, (end) => Number(directory.isShared(end)));
  const pairs = new NumberPairs();
  const firsts: number[] = [];
  /** The first link of a pair for each further one. */
  const firstOf = new Map<number, number>();
  for (const link of links) {
    const [a, b] = [low[link]!, high[link]!];
    if (isShared[a] === 0 && isShared[b] === 0) continue;
    const pair = pairs.of(Math.min(a, b), Math.max(a, b));
    if (pair === firsts.length) firsts.push(link);
    else firstOf.set(link, firsts[pair]!);
  }
  if (firstOf.size === 0) return { table, low, high, links };
  const sums = table.copy();
  for (const [link, first] of firstOf) sums.add(first, table, link, low[link] !== low[first]);
  const { services } = sums;
  for (let row = 0; row < services.size; row++) {
    services.entry[row] = firstOf.get(services.entry[row]!) ?? services.entry[row]!;
  }
  return { table: sums, low, high, links: links.filter((link) => !firstOf.has(link)) };
}

/** Marks the ends of open incidents; returns what they say of links. */
function addIncidents(
  { incidents }: GraphInput,
  traffic: AddressTraffic,
  directory: EndDirectory,
  { totals, low, high, links }: Pick<EndGraph, "totals" | "low" | "high" | "links">,
): Map<number, LinkConcern> {
  const found = new Map<number, LinkConcern>();
  if (incidents.length === 0) return found;
  const concerns = new Concerns(incidents, traffic, directory, totals);
  for (const [at, { severity, deviceIds, pairs }] of incidents.entries()) {
    concerns.add(at, severityRank(severity), deviceIds, pairs);
  }
  if (concerns.links.size === 0) return found;
  for (const link of links) {
    const [a, b] = [low[link]!, high[link]!];
    if (concerns.isLinked[a] === 0 || concerns.isLinked[b] === 0) continue;
    const concern = concerns.links.get(pairKey(a, b));
    if (concern !== undefined) found.set(link, concern);
  }
  return found;
}

/** A key for two numbers below 2^26, in either order. */
function pairKey(a: number, b: number): number {
  return Math.min(a, b) * 2 ** 26 + Math.max(a, b);
}

/** What incidents concern. */
class Concerns {
  /** By the key of two ends. */
  readonly links = new Map<number, { rank: number; incidents: number[] }>();
  /** 1 for ends of `links`. */
  readonly isLinked: Uint8Array;
  /** Ends with traffic by the device, and by the addresses that incidents name. */
  readonly #byDevice = new Map<string, End>();
  readonly #byIp = new Map<string, End>();

  constructor(
    incidents: GraphInput["incidents"],
    traffic: AddressTraffic,
    directory: EndDirectory,
    private readonly totals: EndTotals,
  ) {
    this.isLinked = new Uint8Array(directory.ends.length);
    const deviceIds = new Set(incidents.flatMap(({ deviceIds }) => deviceIds));
    for (const end of directory.ends) {
      if (end.device === null || totals.isSeen[end.no] === 0) continue;
      if (deviceIds.has(end.device.deviceId)) this.#byDevice.set(end.device.deviceId, end);
    }
    const ips = new Set(incidents.flatMap(({ pairs }) => pairs.flat()));
    const isWanted = Uint8Array.from(traffic.addresses, (ip) => Number(ips.has(ip)));
    const { low, high, size } = traffic.table;
    for (let at = 0; at < size; at++) {
      for (const address of [low[at]!, high[at]!]) {
        if (isWanted[address] === 0) continue;
        isWanted[address] = 0;
        const end = directory.endOf(address);
        if (end !== null) this.#byIp.set(traffic.addresses[address]!, end);
      }
    }
  }

  add(
    incident: number,
    rank: number,
    deviceIds: readonly string[],
    pairs: readonly (readonly [string, string])[],
  ): void {
    const concerned = new Set(deviceIds.map((deviceId) => this.#byDevice.get(deviceId)));
    for (const [one, other] of pairs) {
      const [a, b] = [this.#byIp.get(one), this.#byIp.get(other)];
      for (const end of [a, b]) if (end?.device === null) concerned.add(end);
      if (a === undefined || b === undefined || a === b) continue;
      const key = pairKey(a.no, b.no);
      const known = this.links.get(key);
      if (known === undefined) this.links.set(key, { rank, incidents: [incident] });
      else {
        known.rank = Math.max(known.rank, rank);
        // Several addresses of a device may have one peer.
        if (known.incidents.at(-1) !== incident) known.incidents.push(incident);
      }
      this.isLinked[a.no] = this.isLinked[b.no] = 1;
    }
    for (const end of concerned) if (end !== undefined) this.totals.addIncident(end.no, incident, rank);
  }
}
