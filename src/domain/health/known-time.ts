// A lower bound of the present time that does not trust the wall clock. The licence and the retention are
// judged by it. Microseconds throughout.
//
// | evidence                                        | trust                                                         |
// |-------------------------------------------------|---------------------------------------------------------------|
// | running time of the service, by monotonic clock | full: independent of the wall clock                           |
// | the clock, ahead by at most an expected step    | immediate                                                     |
// | the clock, further ahead                        | once the service ran there long enough: see `proofOf`         |

const HOUR = 3_600_000_000;
/** An ordinary step of the clock across a restart: the service was off for a night or a day. */
export const ORDINARY_STEP = 24 * HOUR;
/**
 * As long as the grace period of a licence: an administrator who leaves a wrong clock for longer has missed
 * its notices too.
 */
export const LEAP_PROOF = 72 * HOUR;

export interface ClockKnowledge {
  /** The latest time known to have been reached. */
  knownAt: number;
  /**
   * A later time the clock reports, and how long the service has run at it; null while the clock reports
   * none.
   */
  leap: { at: number; lived: number } | null;
}

interface Tick {
  clock: number;
  /** Running time since the previous tick. */
  elapsed: number;
  /** How far the clock may be ahead of the known time without being in doubt; default: `ORDINARY_STEP`. */
  step?: number;
}

/** Applies running time and the clock's present value. */
export function advanceKnown(
  { knownAt: before, leap }: ClockKnowledge,
  { clock, elapsed, step = ORDINARY_STEP }: Tick,
): ClockKnowledge {
  const ran = Math.max(0, elapsed);
  const knownAt = before + ran;
  if (clock <= knownAt) return { knownAt, leap: null };
  if (clock - knownAt <= step) return { knownAt: clock, leap: null };
  const lived = livedAt(leap, clock, ran);
  return lived >= proofOf(clock - knownAt)
    ? { knownAt: clock, leap: null }
    : { knownAt, leap: { at: clock, lived } };
}

/**
 * Running time that proves a leap of this size: a step of at most a day (a suspended machine) takes as long
 * as it was, a larger one takes `LEAP_PROOF`.
 */
export function proofOf(size: number): number {
  return size <= ORDINARY_STEP ? size : LEAP_PROOF;
}

/** How long the service has run at about that time. */
function livedAt(leap: ClockKnowledge["leap"], clock: number, ran: number): number {
  if (leap === null || Math.abs(clock - (leap.at + ran)) > ORDINARY_STEP) return 0;
  return leap.lived + ran;
}
