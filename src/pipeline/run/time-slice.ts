/** Milliseconds of computation between two yields. */
const SLICE_MILLISECONDS = 8;

/**
 * Interrupts long computations, so that this thread keeps feeding its database connections: otherwise the database runs
 * out of statements while the next round is prepared.
 */
export class TimeSlice {
  #end = performance.now() + SLICE_MILLISECONDS;

  /** Whether it is time to yield; check every few items, not for each. */
  get over(): boolean {
    return performance.now() >= this.#end;
  }

  /** Resolves after the event loop has polled the sockets. */
  async yield(): Promise<void> {
    await yieldToEventLoop();
    this.#end = performance.now() + SLICE_MILLISECONDS;
  }
}

/**
 * Deno polls sockets only while the thread waits for something outside of it. A file system call runs in another thread
 * and takes 40 µs; the shortest timer takes 2 ms, and an immediate does not wait at all.
 */
export async function yieldToEventLoop(): Promise<void> {
  await Deno.stat("/");
}
