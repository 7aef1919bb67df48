export interface BackoffOptions {
  /** Ceiling of the first wait, milliseconds. */
  baseMs: number;
  /** Ceiling that no wait exceeds, milliseconds. */
  capMs: number;
  /** Uniform in [0, 1); `Math.random` by default. */
  random?: () => number;
}

/**
 * Full-jitter exponential backoff: how long to wait after a failure, whole milliseconds.
 * `attempt` counts from 0, so waits lie in [0, base), [0, 2·base), [0, 4·base) … up to [0, cap).
 */
export function fullJitter(attempt: number, options: BackoffOptions): number {
  // 2 ** attempt is Infinity from attempt 1024 on; the minimum keeps that harmless.
  const ceiling = Math.min(options.capMs, options.baseMs * 2 ** Math.max(0, attempt));
  return Math.floor((options.random ?? Math.random)() * ceiling);
}
