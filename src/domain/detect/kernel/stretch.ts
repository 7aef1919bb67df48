// One stretch of activity, in source time, that a wild clock neither ends for ever nor lets begin again and again.
import type { Micros } from "../../record/observation.ts";
import { STRETCH_GAP } from "./result.ts";

export interface Stretch {
  firstSeen: Micros;
  lastSeen: Micros;
  /** Things in a row that lay long before it. */
  stale: number;
}

/**
 * So many in a row that lie long before the stretch mean that it was a wild clock that began it. Until then they are
 * counted with it, at no time.
 */
const STALE_LIMIT = 8;

export function begunAt(at: Micros): Stretch {
  return { firstSeen: at, lastSeen: at, stale: 0 };
}

/** Whether something of that time begins another stretch: after a day of silence, or where this one was a wild clock's. */
export function beginsAnew({ firstSeen, lastSeen, stale }: Stretch, at: Micros): boolean {
  if (at > lastSeen + STRETCH_GAP) return true;
  return at < firstSeen - STRETCH_GAP && stale + 1 >= STALE_LIMIT;
}

/** Takes up something that begins no other; in place. */
export function goOn(stretch: Stretch, at: Micros): void {
  if (at < stretch.firstSeen - STRETCH_GAP) {
    stretch.stale++;
    return;
  }
  stretch.stale = 0;
  stretch.firstSeen = Math.min(stretch.firstSeen, at);
  stretch.lastSeen = Math.max(stretch.lastSeen, at);
}
