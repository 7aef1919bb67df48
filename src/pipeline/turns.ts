/** Milliseconds that this thread may be at work before whoever else needs it gets a turn. */
const SLICE = 16;

/**
 * Lets others have their turn in long work: senders are answered, and what the database is still to be told goes out to
 * it, a socket's buffer at a time. Without that the database stands still while this thread prepares the next round.
 */
export class Turns {
  #until = performance.now() + SLICE;

  /** True when it is time; ask now and then, not for each item. */
  get due(): boolean {
    return performance.now() >= this.#until;
  }

  /** Resolves when the others have had theirs. */
  async next(): Promise<void> {
    // A timer and not an immediate: Deno runs immediates without looking at its sockets in between.
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#until = performance.now() + SLICE;
  }
}
