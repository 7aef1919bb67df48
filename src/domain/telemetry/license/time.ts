// The time by which a licence is judged. A clock that is set back does not make a licence longer, and one that was wrong
// into the future does not end it for good. Microseconds throughout.
//
// | evidence                                              | how far it is trusted                                                 |
// |-------------------------------------------------------|-----------------------------------------------------------------------|
// | the issue of a licence, which is signed               | fully: it is at least that late                                       |
// | time that the service ran, by the monotonic clock     | fully: it passes whatever is done to the clock                        |
// | the clock, up to 24 hours ahead of what is known      | at once                                                               |
// | the clock, further ahead                              | for as long as it says so; for good once the service ran so for 72 h  |
// | receipts and heartbeats in the database               | where nothing else is remembered (src/store/telemetry/license-time.ts)          |
// | a licence that was issued later than every one before | it settles what is known to be ahead of the clock: it begins with it  |

const HOUR = 3_600_000_000;
/** A move of the clock that is ordinary: a night or a day switched off. */
export const ORDINARY_STEP = 24 * HOUR;
/** As long as the grace: whoever does not put a wrong clock right in that time has not noticed the licence either. */
export const LEAP_PROOF = 72 * HOUR;

/** What is remembered, on the disk and in the database. */
export interface KnownTime {
  /** When the newest licence that was ever judged here was issued. */
  issuedAt: number;
  /** The latest time that is known to have come. */
  knownAt: number;
  /** A later one that the clock says, and for how long the service has run so; null while the clock says nothing like it. */
  leap: { at: number; lived: number } | null;
}

/** From the first licence on. `evidence`: what the database tells of the time before; null where it tells nothing. */
export function firstKnown(issuedAt: number, evidence: number | null): KnownTime {
  return { issuedAt, knownAt: Math.max(issuedAt, evidence ?? issuedAt), leap: null };
}

/** With a licence at hand. One that is newer than every one before is trusted against what is known; else nothing changes. */
export function withLicense(known: KnownTime, issuedAt: number, clock: number): KnownTime {
  if (issuedAt <= known.issuedAt) return known;
  const disputed = known.knownAt - clock > ORDINARY_STEP;
  return disputed
    ? { issuedAt, knownAt: issuedAt, leap: null }
    : { ...known, issuedAt, knownAt: Math.max(known.knownAt, issuedAt) };
}

/** After `elapsed` more microseconds, when the clock says `clock`. */
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

/** How long the service has run at about that time. */
function livedAt(leap: KnownTime["leap"], clock: number, ran: number): number {
  if (leap === null || Math.abs(clock - (leap.at + ran)) > ORDINARY_STEP) return 0;
  return leap.lived + ran;
}

/** Of two memories the one that knows more: of a newer licence, of a later time, of a longer stay there. */
export function betterKnown(one: KnownTime | null, other: KnownTime | null): KnownTime | null {
  if (one === null || other === null) return one ?? other;
  const [a, b] = [one, other].map(({ issuedAt, knownAt, leap }) => [issuedAt, knownAt, leap?.lived ?? -1]);
  const difference = a!.map((value, at) => value - b![at]!).find((value) => value !== 0) ?? 0;
  return difference < 0 ? other : one;
}

/** By what a licence is judged: the later of the clock and of what is known. */
export function judgedAt(known: KnownTime, clock: number): number {
  return Math.max(clock, known.knownAt);
}
