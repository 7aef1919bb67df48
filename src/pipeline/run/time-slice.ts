/** Milliseconds that this thread may be at work before whoever else needs it gets a turn. */
const SLICE = 8;
/** How often others are looked at in their turn: what one look brings may ask for something that the next one brings. */
const LOOKS = 4;

/** Resolves when this thread has looked at its sockets. */
export type Look = () => Promise<unknown>;

/**
 * What is known of a directory comes from another thread, which this one waits for. The shortest timer takes 2 ms (measured), and an
 * immediate does not wait at all.
 */
const byOtherThread: Look = () => Deno.stat("/");

/**
 * Lets others have their turn in long work: senders are answered, and the database is told what comes next. Without that the
 * database stands still while this thread prepares the next round.
 */
export class Turns {
  #until = performance.now() + SLICE;

  /**
   * @param look Where nothing is given, one that needs nothing to be closed, and as long as another thread takes to get its turn: on
   * a busy machine half a millisecond and more.
   */
  constructor(private readonly look: Look = byOtherThread) {}

  /** True when it is time; ask now and then, not for each item. */
  get due(): boolean {
    return performance.now() >= this.#until;
  }

  /** Resolves when the others have had theirs. */
  async next(): Promise<void> {
    for (let look = 0; look < LOOKS; look++) await this.look();
    this.#until = performance.now() + SLICE;
  }
}
