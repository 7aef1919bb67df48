import { type Database, type OwnerTx, StoreUnavailable, type Tx } from "./database.ts";
import type { Limits } from "./limits.ts";

interface Waiting {
  go: () => void;
  timer: ReturnType<typeof setTimeout>;
}

/**
 * A database for one sort of work: its transactions are held to limits, and no more than `most` of them are under way
 * at once, so that a crowd of slow requests leaves connections to everything else. The wait for a turn counts: whoever
 * got it late has that much less time left.
 */
export class LimitedDatabase implements Database {
  readonly engine: Database["engine"];
  #underWay = 0;
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
    const asked = performance.now();
    if (this.#underWay >= this.most) await this.#turn();
    else this.#underWay++;
    try {
      return await work(this.#left(performance.now() - asked));
    } finally {
      const [next] = this.#waiting;
      // Whoever is next takes over this one's place.
      if (next === undefined) this.#underWay--;
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
          reject(new StoreUnavailable(new Error(`no turn within ${this.limits.waitMs} ms`)));
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
