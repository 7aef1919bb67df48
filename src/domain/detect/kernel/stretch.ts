// One stretch of activity in source time, robust against records of a wild clock.
import type { Micros } from "../../record/observation.ts";
import { STRETCH_GAP } from "./result.ts";

export interface Stretch {
  firstSeen: Micros;
  lastSeen: Micros;
  /** Consecutive items long before it. */
  stale: number;
}

/**
 * After this many consecutive items long before the stretch, a wild clock must have begun it. Until then they
 * count as part of it without extending it.
 */
const STALE_LIMIT = 8;

export function newStretch(at: Micros): Stretch {
  return { firstSeen: at, lastSeen: at, stale: 0 };
}

/** Whether a time begins a new stretch: after a day of silence, or if a wild clock began this one. */
export function startsNewStretch({ firstSeen, lastSeen, stale }: Stretch, at: Micros): boolean {
  if (at > lastSeen + STRETCH_GAP) return true;
  return at < firstSeen - STRETCH_GAP && stale + 1 >= STALE_LIMIT;
}

/** Extends the stretch in place by a time that does not begin a new one. */
export function extendStretch(stretch: Stretch, at: Micros): void {
  if (at < stretch.firstSeen - STRETCH_GAP) {
    stretch.stale++;
    return;
  }
  stretch.stale = 0;
  stretch.firstSeen = Math.min(stretch.firstSeen, at);
  stretch.lastSeen = Math.max(stretch.lastSeen, at);
}
