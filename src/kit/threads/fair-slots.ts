/**
 * Limits concurrent work. Further work waits by key: keys are served in turn, each in the order of arrival, so that
 * the work of one key delays the next one of another key by at most one piece.
 */
export class FairSlots {
  /** In the order of their turns; a key without waiting work is absent. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` once a slot is free and it is the turn of `key`; settles as `work` does. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queueOf(key).push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#next();
      // The next one takes over this slot.
      if (next) next();
      else this.#free++;
    }
  }

  #queueOf(key: string): (() => void)[] {
    const known = this.#waiting.get(key);
    if (known !== undefined) return known;
    const queue: (() => void)[] = [];
    this.#waiting.set(key, queue);
    return queue;
  }

  #next(): (() => void) | undefined {
    for (const [key, queue] of this.#waiting) {
      this.#waiting.delete(key);
      const next = queue.shift();
      // Re-inserted behind the other keys.
      if (queue.length > 0) this.#waiting.set(key, queue);
      return next;
    }
    return undefined;
  }
}
