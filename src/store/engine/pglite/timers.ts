/** The longest delay of a timer, in milliseconds; above it `setTimeout` waits for one millisecond instead. */
const LONGEST = 2 ** 31 - 1;

/**
 * Limits the delays of this thread's timers.
 *
 * PostgreSQL sets timers for points in time; when idle, one for its statistics. After a clock that was 40 days ahead has
 * been corrected, the rest is more than a timer can wait for: it ran at once and set the next one, 260 times a second for
 * 40 days.
 */
export function limitTimers(): void {
  const { setTimeout } = globalThis;
  const limited = (work: () => void, milliseconds = 0) => setTimeout(work, Math.min(milliseconds, LONGEST));
  globalThis.setTimeout = limited as typeof setTimeout;
}
