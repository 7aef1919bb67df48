import type { JsonValue } from "../../../kit/json/json.ts";
import { type Fields, isStated, warn } from "../fields.ts";
import { goflow } from "./fields.ts";
import type { Micros } from "../observation.ts";
import { readEpoch, readTime, type Time } from "../times.ts";

type TimeReader = (value: JsonValue) => Time | null;

/** Two members that belong together: start and end must come from the same pair. */
interface Pair {
  start: string;
  end: string;
  read: TimeReader;
}

const PAIRS: readonly Pair[] = [
  ...goflowPairs("_ns", (value) => epochOrText(value, "ns")),
  ...goflowPairs("_ms", (value) => epochOrText(value, "ms")),
  ...goflowPairs("", (value) => epochOrText(value, "s")),
  { start: "timestamp_start", end: "timestamp_end", read: readTime },
  { start: "timestamp_min", end: "timestamp_max", read: readTime },
  { start: "first", end: "last", read: readTime },
  { start: "t_first", end: "t_last", read: looseMillis },
  // pmacct without `timestamp_start` in its aggregate: the time bin of the record, and when it was written.
  { start: "stamp_inserted", end: "stamp_updated", read: readTime },
];

const RECEIPTS: readonly (readonly [name: string, read: TimeReader])[] = [
  ...goflow("time_received_ns").map((name) =>
    [name, (value: JsonValue) => epochOrText(value, "ns")] as const
  ),
  ...goflow("time_received").map((name) => [name, (value: JsonValue) => epochOrText(value, "s")] as const),
  ["timestamp_arrival", readTime],
  ["received", readTime],
  ["t_received", looseMillis],
];

/**
 * Earliest plausible time. Exporters and collectors write 0 for an unset time, some of them in local time:
 * `1970-01-01T01:00:00`.
 */
const FIRST_SET: Micros = 2 * 86_400 * 1e6;

interface FlowTimes {
  start: Time | null;
  end: Time | null;
}

/** Start and end of the flow, as far as stated. Warns about times that cannot be read. */
export function flowTimes(payload: Fields, warnings: string[] = []): FlowTimes {
  const { start, end } = firstPair(payload, warnings);
  // A firewall or NAT event from nfdump has one time, which ends the flow it is about.
  return { start, end: end ?? setTime(payload.t_event, looseMillis, "t_event", warnings) };
}

export function flowStart(payload: Fields): Time | null {
  return flowTimes(payload).start;
}

export function flowEnd(payload: Fields): Time | null {
  return flowTimes(payload).end;
}

/** When the collector received the export packet. */
export function flowReceived(payload: Fields): Time | null {
  for (const [name, read] of RECEIPTS) {
    const time = setTime(payload[name], read, name, []);
    if (time !== null) return time;
  }
  return null;
}

function firstPair(payload: Fields, warnings: string[]): FlowTimes {
  for (const pair of PAIRS) {
    const start = setTime(payload[pair.start], pair.read, pair.start, warnings);
    const end = setTime(payload[pair.end], pair.read, pair.end, warnings);
    if (start !== null || end !== null) return { start, end };
  }
  return { start: null, end: null };
}

function setTime(
  value: JsonValue | undefined,
  read: TimeReader,
  name: string,
  warnings: string[],
): Time | null {
  if (value === undefined || value === null) return null;
  const time = read(value);
  if (time === null && isStated(value) && !isUnset(value)) warn(warnings, `${name}: expected a time`);
  return time !== null && time.micros >= FIRST_SET ? time : null;
}

/** 0, also as text, and the `0000-00-00 00:00:00` of pmacct. */
function isUnset(value: JsonValue): boolean {
  return typeof value === "string" ? /^0+(?:\.0+)?$|^0000-00-00/.test(value) : value === 0 || value === 0n;
}

/** A number of units since the epoch (goflow2), or RFC 3339 text from its `datetime` renderers. */
function epochOrText(value: JsonValue, unit: "ns" | "ms" | "s"): Time | null {
  return typeof value === "string" && value.includes("T") ? readTime(value) : readEpoch(value, unit);
}

/** nfdump omits leading zeros of the milliseconds of some times: `20.7` is second 20 plus 7 ms. */
function looseMillis(value: JsonValue): Time | null {
  const short = typeof value === "string" && value.length <= 64 ? /^(.+T.+)\.(\d{1,2})$/.exec(value) : null;
  return readTime(short === null ? value : `${short[1]}.${short[2]!.padStart(3, "0")}`);
}

function goflowPairs(unit: string, read: TimeReader): Pair[] {
  const ends = goflow(`time_flow_end${unit}`);
  return goflow(`time_flow_start${unit}`).map((start, index) => ({ start, end: ends[index]!, read }));
}
