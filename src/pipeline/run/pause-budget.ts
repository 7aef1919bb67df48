/** How long a burst of records may hold the pipeline up; after that both share the processor. */
const MAX_MILLISECONDS = 10_000;
/** What comes back of that as time goes by: senders that never stop hold it up for little more than this part of the time. */
const REGAINED = 1 / 50;

/** Whether the pipeline waits while senders do: they go first, but not for ever. */
export class Courtesy {
  #left = MAX_MILLISECONDS;
  /** When that was; microseconds, null before anybody asked. */
  #at: number | null = null;

  /**
   * Takes `step` milliseconds of what is left; false where there is not as much.
   *
   * @param now Microseconds.
   */
  take(step: number, now: number): boolean {
    const passed = Math.max(0, now - (this.#at ?? now)) / 1000;
    this.#at = now;
    this.#left = Math.min(MAX_MILLISECONDS, this.#left + passed * REGAINED);
    if (this.#left < step) return false;
    this.#left -= step;
    return true;
  }
}
