// The time a licence is evaluated at. Setting the clock back does not extend a licence, and a clock that was
// wrong in the future does not end it for good. Microseconds throughout.
//
// Besides the evidence of src/domain/health/known-time.ts:
//
// | evidence                                         | trust                                                                  |
// |--------------------------------------------------|------------------------------------------------------------------------|
// | the issue time of a licence, which is signed     | full: it is at least that late                                         |
// | receipts and heartbeats in the database          | without any other state (src/store/telemetry/license-time.ts)          |
// | a licence issued later than every earlier one    | resets a known time ahead of the clock to its own issue time           |

import { advanceKnown, type ClockKnowledge, ORDINARY_STEP } from "../../health/known-time.ts";

/** The state kept on disk and in the database. */
export interface KnownTime extends ClockKnowledge {
  /** Issue time of the newest licence ever evaluated here. */
  issuedAt: number;
}

/** The state for the first licence. `evidence`: the latest time in the database; null if there is none. */
export function firstKnown(issuedAt: number, evidence: number | null): KnownTime {
  return { issuedAt, knownAt: Math.max(issuedAt, evidence ?? issuedAt), leap: null };
}

/**
 * Applies a licence: one newer than every earlier one overrides a disputed known time; otherwise nothing
 * changes.
 */
export function withLicense(known: KnownTime, issuedAt: number, clock: number): KnownTime {
  if (issuedAt <= known.issuedAt) return known;
  const disputed = known.knownAt - clock > ORDINARY_STEP;
  return disputed
    ? { issuedAt, knownAt: issuedAt, leap: null }
    : { ...known, issuedAt, knownAt: Math.max(known.knownAt, issuedAt) };
}

/** Applies `elapsed` microseconds of running time, with the clock at `clock`. */
export function advance(known: KnownTime, clock: number, elapsed: number): KnownTime {
  return { issuedAt: known.issuedAt, ...advanceKnown(known, { clock, elapsed }) };
}

/**
 * The better of two states: the newer licence, then the later known time, then the longer run at a later
 * time.
 */
export function betterKnownTime(one: KnownTime | null, other: KnownTime | null): KnownTime | null {
  if (one === null || other === null) return one ?? other;
  const [a, b] = [one, other].map(({ issuedAt, knownAt, leap }) => [issuedAt, knownAt, leap?.lived ?? -1]);
  const difference = a!.map((value, at) => value - b![at]!).find((value) => value !== 0) ?? 0;
  return difference < 0 ? other : one;
}

/** The time a licence is evaluated at: the later of the clock and the known time. */
export function evaluationTime(known: KnownTime, clock: number): number {
  return Math.max(clock, known.knownAt);
}
