interface BackoffOptions {
  /** Ceiling of the first wait, milliseconds. */
  baseMs: number;
  /** Ceiling that no wait exceeds, milliseconds. */
  capMs: number;
  /** Uniform in [0, 1); `Math.random` by default. */
  random?: () => number;
}

/**
 * Full-jitter exponential backoff: the wait after a failure in whole milliseconds. `attempt` counts from 0,
 * so waits lie in [0, base), [0, 2·base), [0, 4·base) … up to [0, cap).
 */
export function fullJitter(attempt: number, options: BackoffOptions): number {
  // 2 ** attempt is Infinity from attempt 1024 on; the minimum handles it.
  const ceiling = Math.min(options.capMs, options.baseMs * 2 ** Math.max(0, attempt));
  return Math.floor((options.random ?? Math.random)() * ceiling);
}

interface HoldOptions {
  /** The shortest wait, milliseconds. */
  minMs: number;
  /** The longest, milliseconds. */
  maxMs: number;
  /** Uniform in [0, 1); `Math.random` by default. */
  random?: () => number;
}

/**
 * Exponential backoff between two bounds: the wait after a failure in whole milliseconds. `attempt` counts
 * from 0. The shortest wait is doubled for each attempt, plus up to a quarter; the last waits lie in the last
 * fifth below the longest.
 */
export function heldBackoff(attempt: number, { minMs, maxMs, random = Math.random }: HoldOptions): number {
  const least = Math.min(maxMs / 1.25, minMs * 2 ** Math.max(0, attempt));
  return Math.floor(Math.max(minMs, least * (1 + random() / 4)));
}
