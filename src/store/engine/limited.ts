import { NoTurn, Shares } from "../../kit/threads/shares.ts";
import { CallerGone, type Database, NoPlace, type OwnerTx, type Tx } from "./database.ts";
import { type Limits, stricter } from "./limits.ts";

/** The request that a transaction is part of. */
export interface RequestWork {
  /** Who sent it; requests of one person share places. */
  person: string;
  /** Aborts when the client is gone; null if the work is worth finishing all the same. */
  signal: AbortSignal | null;
  /** When the answer is due, by `performance.now()`; null if there is no such time. */
  answerBy: number | null;
}

interface Sharing {
  /** Transactions at a time. */
  places: number;
  /** Null outside of a request. */
  current: () => RequestWork | null;
}

/** Holds the place of work on global tables. */
const NO_TENANT = "";

/**
 * The database for one kind of work: its transactions have limits, and with `sharing` at most so many of them run at a
 * time, those of different tenants and people in turn. Time spent waiting counts against the limits, and so does the time
 * that the request's earlier transactions took.
 */
export class LimitedDatabase implements Database {
  readonly engine: Database["engine"];
  readonly #shares: Shares | null;

  constructor(
    private readonly inner: Database,
    private readonly limits: Limits,
    private readonly sharing: Sharing | null = null,
  ) {
    this.engine = inner.engine;
    this.#shares = sharing && new Shares(sharing.places);
  }

  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
    return this.#inTurn(tenantId, work, limits, (work, limits) => this.inner.tenant(tenantId, work, limits));
  }

  shared<T>(work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
    return this.#inTurn(NO_TENANT, work, limits, (work, limits) => this.inner.shared(work, limits));
  }

  owner<T>(work: (tx: OwnerTx) => Promise<T>): Promise<T> {
    return this.inner.owner(work);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  async #inTurn<T>(
    tenant: string,
    work: (tx: Tx) => Promise<T>,
    given: Limits | undefined,
    run: (work: (tx: Tx) => Promise<T>, limits: Limits) => Promise<T>,
  ): Promise<T> {
    const limits = given === undefined ? this.limits : stricter(given, this.limits);
    if (this.#shares === null) return await run(work, limits);
    const request = this.sharing!.current();
    const bounded = { ...limits, signal: limits.signal ?? request?.signal };
    const askedAt = performance.now();
    const leftOf = (ms: number) => {
      const now = performance.now();
      const left = Math.min(ms - (now - askedAt), (request?.answerBy ?? Infinity) - now);
      return Math.max(1, Math.ceil(left));
    };
    const holder = { tenant, person: request?.person ?? "" };
    const leave = await this.#enter(holder, leftOf(limits.waitMs), bounded.signal);
    // A caller may stop waiting while its work goes on, which still takes the place.
    const running = new Set<Promise<unknown>>();
    const followed = (tx: Tx) => {
      const result = work(tx);
      running.add(result);
      return result;
    };
    try {
      return await run(followed, {
        ...bounded,
        waitMs: leftOf(limits.waitMs),
        answerMs: leftOf(limits.answerMs),
      });
    } finally {
      void Promise.allSettled(running).then(leave);
    }
  }

  async #enter(
    holder: { tenant: string; person: string },
    waitMs: number,
    signal: AbortSignal | null | undefined,
  ): Promise<() => void> {
    try {
      return await this.#shares!.enter(holder, waitMs, signal);
    } catch (error) {
      if (!(error instanceof NoTurn)) throw error;
      throw signal?.aborted ? new CallerGone() : new NoPlace(error);
    }
  }
}
