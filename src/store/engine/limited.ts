import { type Database, type OwnerTx, StoreUnavailable, type Tx } from "./database.ts";
import type { Limits } from "./limits.ts";

interface Waiting {
  go: () => void;
  timer: ReturnType<typeof setTimeout>;
}

/**
 * The database for one kind of work: its transactions have limits, and at most `most` of them run
 * concurrently, so that many slow requests leave connections for other work. Time spent in the queue counts
 * against the limits.
 */
export class LimitedDatabase implements Database {
  readonly engine: Database["engine"];
  #running = 0;
  readonly #waiting = new Set<Waiting>();

  constructor(
    private readonly inner: Database,
    private readonly limits: Limits,
    private readonly most = Infinity,
  ) {
    this.engine = inner.engine;
  }

  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#inTurn((limits) => this.inner.tenant(tenantId, work, limits));
  }

  shared<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#inTurn((limits) => this.inner.shared(work, limits));
  }

  owner<T>(work: (tx: OwnerTx) => Promise<T>): Promise<T> {
    return this.inner.owner(work);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  async #inTurn<T>(work: (limits: Limits) => Promise<T>): Promise<T> {
    const queuedAt = performance.now();
    if (this.#running >= this.most) await this.#turn();
    else this.#running++;
    try {
      return await work(this.#left(performance.now() - queuedAt));
    } finally {
      const [next] = this.#waiting;
      // The next one takes over this slot.
      if (next === undefined) this.#running--;
      else this.#leave(next).go();
    }
  }

  #left(waited: number): Limits {
    const { waitMs, answerMs } = this.limits;
    const left = (ms: number) => Math.max(1, Math.ceil(ms - waited));
    return { ...this.limits, waitMs: left(waitMs), answerMs: left(answerMs) };
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        go: resolve,
        timer: setTimeout(() => {
          this.#leave(waiting);
          reject(new StoreUnavailable(new Error(`no connection within ${this.limits.waitMs} ms`)));
        }, this.limits.waitMs),
      };
      this.#waiting.add(waiting);
    });
  }

  #leave(waiting: Waiting): Waiting {
    this.#waiting.delete(waiting);
    clearTimeout(waiting.timer);
    return waiting;
  }
}
