import type { IsInternal, PartyHit } from "../intel/hits.ts";
import type { IndicatorKind, Match } from "../intel/indicator.ts";
import type { IntelSet } from "../intel/intel-set.ts";
import type { Micros } from "../record/observation.ts";
import { minuteOf } from "./traffic.ts";
import type { AddressTraffic } from "./traffic-table.ts";

/** Two addresses whose traffic matched an indicator by what is in a record: a name, a fingerprint, a DNS answer. */
export interface PairMark {
  /** The two addresses, in code point order. */
  low: string;
  high: string;
  kind: IndicatorKind;
  indicator: string;
}

/** The same with the minute in which the flow counts. */
export interface TrafficMark extends PairMark {
  minute: Micros;
}

/** A record that matched indicators. */
export interface MatchedRecord {
  /** Of its flow. */
  anchor: Micros;
  /** The ends of its flow. */
  src: { ip: string };
  dst: { ip: string };
  hits: readonly PartyHit[];
}

/** Collects marks, each once. Matches of the ends' addresses are left out: they follow from the lists. */
export class MarkFold {
  readonly #known = new Map<string, TrafficMark>();

  get size(): number {
    return this.#known.size;
  }

  add({ anchor, src, dst, hits }: MatchedRecord): void {
    const [low, high] = src.ip <= dst.ip ? [src.ip, dst.ip] : [dst.ip, src.ip];
    const minute = minuteOf(anchor);
    for (const { match: { kind, indicator }, vias } of hits) {
      if (vias.every((via) => via === "peer")) continue;
      const key = `${minute} ${low} ${high} ${kind} ${indicator}`;
      if (!this.#known.has(key)) this.#known.set(key, { minute, low, high, kind, indicator });
    }
  }

  get marks(): TrafficMark[] {
    return [...this.#known.values()];
  }
}

/** The lists as they are now. */
export type Indicators = Pick<IntelSet, "find" | "matchIp">;

/** The indicators that an entry of the table has matched. */
export type MatchesOf = (entry: number) => readonly Match[];

const NONE: readonly Match[] = [];

/**
 * Sets `intel` of the table's entries to what the lists say now: of the addresses themselves, and of the marks of
 * records. An indicator that is in no list any more marks nothing.
 */
export function markTraffic(
  { addresses, table }: AddressTraffic,
  marks: readonly PairMark[],
  lists: Indicators,
  isInternal: IsInternal,
): MatchesOf {
  const listed = listedMarks(marks, lists);
  /** By the number of the address; undefined before it was looked up. */
  const known: (Match | null | undefined)[] = [];
  const matchIp = (at: number) => {
    const ip = addresses[at]!;
    if (known[at] === undefined) known[at] = isInternal(ip) ? null : lists.matchIp(ip);
    return known[at];
  };
  const markedAt = (entry: number) =>
    listed.size === 0
      ? NONE
      : listed.get(`${addresses[table.low[entry]!]} ${addresses[table.high[entry]!]}`) ?? NONE;
  for (let entry = 0; entry < table.size; entry++) {
    // Both ends, for the matches that are returned below.
    const [low, high] = [matchIp(table.low[entry]!), matchIp(table.high[entry]!)];
    table.intel[entry] = Number(low !== null || high !== null || markedAt(entry).length > 0);
  }
  return (entry) => {
    if (table.intel[entry] === 0) return NONE;
    const ends = [known[table.low[entry]!], known[table.high[entry]!]];
    return [...ends.filter((match) => match != null), ...markedAt(entry)];
  };
}

/** The listed indicators of each pair, by its two addresses. */
function listedMarks(marks: readonly PairMark[], lists: Indicators): Map<string, Match[]> {
  const listed = new Map<string, Match[]>();
  for (const { low, high, kind, indicator } of marks) {
    const match = lists.find(kind, indicator);
    if (match === null) continue;
    const key = `${low} ${high}`;
    const others = listed.get(key);
    if (others === undefined) listed.set(key, [match]);
    else others.push(match);
  }
  return listed;
}
