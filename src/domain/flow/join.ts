import type { EvidenceSource } from "../../contract/record/kinds.ts";
import type { Micros } from "../record/observation.ts";
import type { FlowState } from "./flow.ts";
import { isCounted } from "./merge.ts";

interface Interval {
  start: Micros;
  end: Micros;
}

/** What an observation offers to be joined by. */
export interface JoinKey extends Interval {
  /** Hash of (sensor, the sensor's own flow id), or null. */
  nativeHash: bigint | null;
  source: EvidenceSource;
  /** It has counters: it tells of a whole connection, or of an exporter's slice of one. */
  counted: boolean;
}

/**
 * Two sensors' clocks differ (by 14 ms where two real ones of one network were compared), exporters cut their times
 * to milliseconds, and a packet is one moment; still both have to meet. Far below the time in which a port is used
 * again, and a refused connection is tried again.
 */
export const CLOCK_TOLERANCE: Micros = 25_000;

/** How long after a flow's last observation its own sensor may still name it. */
export const NATIVE_SPAN: Micros = 3_600_000_000;

/**
 * Of a TCP connection of which only transactions are known so far (a TLS handshake, an HTTP request) nobody has said
 * when it ends. What another kind of sensor tells of the same ports within this time is about it, too: two sensors
 * write a handshake down at its two ends. As long, a client's system does not use the ports again.
 */
export const OPEN_SPAN: Micros = 60_000_000;

/** Whatever is further away in time than this is joined only where its own sensor names it. */
export const UNNAMED_SPAN: Micros = Math.max(CLOCK_TOLERANCE, OPEN_SPAN);

/**
 * True when both cover some time together. Intervals that only touch do not (an exporter's next slice begins
 * where the last one ended); but one that is no longer than the tolerance may lie that far beside the other.
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
 * The flow an observation joins, of the flows with its Community ID: one that its own sensor names, else one that it
 * overlaps, else one that is still open, else none (a later connection of the same tuple is another flow). Of several
 * the one that is nearest in time, then the one it overlaps longest; the order in which they are given does not matter.
 *
 * Where the sensor names a flow that has no counters yet, while another sensor has told of a whole connection at that
 * time, this is it: the two were held apart only because their first records were about different moments.
 */
export function flowToJoin(candidates: readonly FlowState[], key: JoinKey): FlowState | null {
  const { nativeHash } = key;
  const named = nativeHash === null ? null : nearest(candidates, key, isNamed);
  if (named !== null) return isCounted(named) ? named : nearest(candidates, key, isWholeConnection) ?? named;
  return nearest(candidates, key, overlaps) ?? nearest(candidates, key, isOpen);
}

/** Of the flows that fit the one that fits best. */
function nearest(
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

/** Negative is the time between them. */
function commonTime(a: Interval, b: Interval): Micros {
  return Math.min(a.end, b.end) - Math.max(a.start, b.start);
}

function isNamed(flow: FlowState, key: JoinKey): boolean {
  return key.nativeHash !== null && flow.nativeHashes.includes(key.nativeHash) && isNear(flow, key);
}

function isWholeConnection(flow: FlowState, key: JoinKey): boolean {
  const common = commonTime(flow, key);
  return isCounted(flow) && isOfOthers(flow, key) && common >= 0 && common * 2 >= key.end - key.start;
}

function isOpen(flow: FlowState, key: JoinKey): boolean {
  return flow.proto === "tcp" && !key.counted && !isCounted(flow) && isOfOthers(flow, key) &&
    commonTime(flow, key) >= -OPEN_SPAN;
}

/** A sensor tells connections apart by its own ids; who has told of this one would have named it. */
function isOfOthers(flow: FlowState, { source }: JoinKey): boolean {
  return !flow.sources.includes(source);
}

function isNear(a: Interval, b: Interval): boolean {
  return a.start <= b.end + NATIVE_SPAN && b.start <= a.end + NATIVE_SPAN;
}

/** Of flows that fit equally well the first one is meant; the id only settles what time cannot. */
function isEarlier(a: FlowState, b: FlowState): boolean {
  return a.start !== b.start ? a.start < b.start : a.flowId < b.flowId;
}
