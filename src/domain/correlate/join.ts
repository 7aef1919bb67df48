import type { Micros } from "../records/observation.ts";
import type { FlowState } from "./flow.ts";

interface Interval {
  start: Micros;
  end: Micros;
}

/** What an observation offers to be joined by. */
export interface JoinKey extends Interval {
  /** Hash of (sensor, the sensor's own flow id), or null. */
  nativeHash: bigint | null;
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
 * overlaps, else none (a later connection of the same tuple is another flow). Of several the one that is nearest in
 * time, then the one it overlaps longest; the order in which they are given does not matter.
 */
export function flowToJoin(candidates: readonly FlowState[], key: JoinKey): FlowState | null {
  const { nativeHash } = key;
  let best: Fit | null = null;
  for (const flow of candidates) {
    const named = nativeHash !== null && flow.nativeHashes.includes(nativeHash) && isNear(flow, key);
    if (!named && !overlaps(flow, key)) continue;
    const common = Math.min(flow.end, key.end) - Math.max(flow.start, key.start);
    const fit = { flow, named, common };
    if (best === null || fitsBetter(fit, best)) best = fit;
  }
  return best?.flow ?? null;
}

interface Fit {
  flow: FlowState;
  named: boolean;
  /** Time that flow and observation have in common; negative is the time between them. */
  common: number;
}

function fitsBetter(a: Fit, b: Fit): boolean {
  if (a.named !== b.named) return a.named;
  return a.common !== b.common ? a.common > b.common : isEarlier(a.flow, b.flow);
}

function isNear(a: Interval, b: Interval): boolean {
  return a.start <= b.end + NATIVE_SPAN && b.start <= a.end + NATIVE_SPAN;
}

/** Of flows that fit equally well the first one is meant; the id only settles what time cannot. */
function isEarlier(a: FlowState, b: FlowState): boolean {
  return a.start !== b.start ? a.start < b.start : a.flowId < b.flowId;
}
