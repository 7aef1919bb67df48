/** How long a burst of ingest may pause the pipeline; after that both share the processors. */
const MAX_MILLISECONDS = 10_000;
/** Milliseconds regained per millisecond: continuous ingest pauses the pipeline for little more than this fraction. */
const REGAINED = 1 / 50;

/** Bounds the time for which the pipeline pauses in favour of waiting senders. */
export class PauseBudget {
  #left = MAX_MILLISECONDS;
  /** Time of the last call in microseconds; null before the first. */
  #at: number | null = null;

  /**
   * Spends `step` milliseconds of the budget; returns false if less is left.
   *
   * @param now Microseconds since the epoch.
   */
  spend(step: number, now: number): boolean {
    const passed = Math.max(0, now - (this.#at ?? now)) / 1000;
    this.#at = now;
    this.#left = Math.min(MAX_MILLISECONDS, this.#left + passed * REGAINED);
    if (this.#left < step) return false;
    this.#left -= step;
    return true;
  }
}
