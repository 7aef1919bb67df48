import type { EvidenceSource } from "../../contract/record/kinds.ts";
import type { Micros } from "../record/observation.ts";
import type { FlowState } from "./flow.ts";
import { isCounted } from "./merge.ts";
import { isSameSensor } from "./native-hash.ts";

interface Interval {
  start: Micros;
  end: Micros;
}

/** The properties of an observation that decide which flow it joins. */
export interface JoinKey extends Interval {
  /** Of the sensor's own flow id (`nativeHasher`), or null. */
  nativeHash: bigint | null;
  source: EvidenceSource;
  /** It has counters, so it covers a whole connection or an exporter's slice of one. */
  counted: boolean;
}

/**
 * Slack for comparing times: sensors' clocks differ (14 ms between two real ones on one network), exporters
 * truncate to milliseconds, and a packet has no duration. Far shorter than the time until a port is reused or
 * a refused connection is retried.
 */
export const CLOCK_TOLERANCE: Micros = 25_000;

/** How long after a flow's last observation its sensor's own flow id still matches. */
export const NATIVE_SPAN: Micros = 3_600_000_000;

/**
 * The end of a TCP connection is unknown while only transactions of it (a TLS handshake, an HTTP request)
 * have been seen. Another kind of sensor's observation of the same ports within this time belongs to it: two
 * sensors log a handshake at its start and at its end. Client systems do not reuse the ports that soon.
 */
export const OPEN_SPAN: Micros = 60_000_000;

/** Beyond this distance in time an observation joins only by its sensor's own flow id. */
export const UNNAMED_SPAN: Micros = Math.max(CLOCK_TOLERANCE, OPEN_SPAN);

/**
 * True when both share some time. Intervals that only touch do not (an exporter's next slice begins where the
 * last one ended), but an interval no longer than the tolerance may lie that far from the other.
 */
export function overlaps(a: Interval, b: Interval): boolean {
  if (isShort(a) || isShort(b)) {
    return a.start <= b.end + CLOCK_TOLERANCE && b.start <= a.end + CLOCK_TOLERANCE;
  }
  return a.start < b.end && b.start < a.end;
}

function isShort({ start, end }: Interval): boolean {
  return end - start <= CLOCK_TOLERANCE;
}

/**
 * Selects the flow an observation joins among those with its Community ID: one with the same sensor flow id,
 * else one it overlaps, else one that is still open, else none (a later connection of the same tuple is
 * another flow). A flow to which the same sensor gave another id never matches: the tolerance is for the
 * clocks of different sensors. Prefers the nearest in time, then the longest overlap, also where another
 * sensor's record fits several flows; the order of candidates does not matter.
 *
 * If the flow with the sensor's id has no counters yet and another sensor has reported a whole connection at
 * that time, the observation joins that connection: the two were separate only because their first records
 * covered different moments.
 */
export function flowToJoin(candidates: readonly FlowState[], key: JoinKey): FlowState | null {
  const { nativeHash } = key;
  const named = nativeHash === null ? null : bestMatch(candidates, key, isNamed);
  if (named !== null) {
    return isCounted(named) ? named : bestMatch(candidates, key, isWholeConnection) ?? named;
  }
  return bestMatch(candidates, key, isAtThatTime) ?? bestMatch(candidates, key, isOpen);
}

/** The best match among the flows that fit. */
function bestMatch(
  flows: readonly FlowState[],
  key: JoinKey,
  fits: (flow: FlowState, key: JoinKey) => boolean,
): FlowState | null {
  let best: FlowState | null = null;
  for (const flow of flows) {
    if (fits(flow, key) && (best === null || fitsBetter(flow, best, key))) best = flow;
  }
  return best;
}

function fitsBetter(a: FlowState, b: FlowState, key: Interval): boolean {
  const difference = commonTime(a, key) - commonTime(b, key);
  return difference !== 0 ? difference > 0 : isEarlier(a, b);
}

/** Negative: the gap between them. */
function commonTime(a: Interval, b: Interval): Micros {
  return Math.min(a.end, b.end) - Math.max(a.start, b.start);
}

function isNamed(flow: FlowState, key: JoinKey): boolean {
  return key.nativeHash !== null && flow.nativeHashes.includes(key.nativeHash) && isNear(flow, key);
}

function isAtThatTime(flow: FlowState, key: JoinKey): boolean {
  return overlaps(flow, key) && !isKnownByOtherId(flow, key);
}

function isKnownByOtherId({ nativeHashes }: FlowState, { nativeHash }: JoinKey): boolean {
  return nativeHash !== null && nativeHashes.some((known) => isSameSensor(known, nativeHash));
}

function isWholeConnection(flow: FlowState, key: JoinKey): boolean {
  const common = commonTime(flow, key);
  return isCounted(flow) && isFromOtherSource(flow, key) && common >= 0 && common * 2 >= key.end - key.start;
}

function isOpen(flow: FlowState, key: JoinKey): boolean {
  return flow.proto === "tcp" && !key.counted && !isCounted(flow) && isFromOtherSource(flow, key) &&
    commonTime(flow, key) >= -OPEN_SPAN;
}

/**
 * A sensor separates connections by its own ids, so a source already on this flow would have matched by id.
 */
function isFromOtherSource(flow: FlowState, { source }: JoinKey): boolean {
  return !flow.sources.includes(source);
}

function isNear(a: Interval, b: Interval): boolean {
  return a.start <= b.end + NATIVE_SPAN && b.start <= a.end + NATIVE_SPAN;
}

/** Ties go to the first flow; the id breaks ties that time cannot. */
function isEarlier(a: FlowState, b: FlowState): boolean {
  return a.start !== b.start ? a.start < b.start : a.flowId < b.flowId;
}
