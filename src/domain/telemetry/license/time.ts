// The time a licence is evaluated at. Setting the clock back does not extend a licence, and a clock that was
// wrong in the future
// does not end it for good. Microseconds throughout.
//
// | evidence                                         | trust                                                                  |
// |--------------------------------------------------|------------------------------------------------------------------------|
// | the issue time of a licence, which is signed     | full: it is at least that late                                         |
// | running time of the service, by monotonic clock  | full: independent of the wall clock                                    |
// | the clock, up to 24 hours ahead of known time    | immediate                                                              |
// | the clock, further ahead                         | while it says so; permanent once the service ran there for 72 hours    |
// | receipts and heartbeats in the database          | without any other state (src/store/telemetry/license-time.ts)          |
// | a licence issued later than every earlier one    | resets a known time ahead of the clock to its own issue time           |

const HOUR = 3_600_000_000;
/** An ordinary step of the clock: the service was off for a night or a day. */
export const ORDINARY_STEP = 24 * HOUR;
/**
 * As long as the grace period: an administrator who leaves a wrong clock for longer has missed the licence
 * notices too.
 */
export const LEAP_PROOF = 72 * HOUR;

/** The state kept on disk and in the database. */
export interface KnownTime {
  /** Issue time of the newest licence ever evaluated here. */
  issuedAt: number;
  /** The latest time known to have been reached. */
  knownAt: number;
  /**
   * A later time the clock reports, and how long the service has run at it; null while the clock reports
   * none.
   */
  leap: { at: number; lived: number } | null;
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
  const ran = Math.max(0, elapsed);
  const knownAt = known.knownAt + ran;
  if (clock <= knownAt) return { ...known, knownAt, leap: null };
  if (clock - knownAt <= ORDINARY_STEP) return { ...known, knownAt: clock, leap: null };
  const lived = livedAt(known.leap, clock, ran);
  return lived >= LEAP_PROOF
    ? { ...known, knownAt: clock, leap: null }
    : { ...known, knownAt, leap: { at: clock, lived } };
}

/** How long the service has run at about that time, microseconds. */
function livedAt(leap: KnownTime["leap"], clock: number, ran: number): number {
  if (leap === null || Math.abs(clock - (leap.at + ran)) > ORDINARY_STEP) return 0;
  return leap.lived + ran;
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
