import { messageOf } from "../../kit/errors.ts";
import { type Database, type OwnerTx, StoreUnavailable, type Tx } from "./database.ts";
import type { Limits } from "./limits.ts";
import { isDiskFull, isShortOfConnections } from "./retry.ts";

interface Shortages {
  onDiskFull: () => void;
  /** The server refused a connection; `reason` is its own text. */
  onNoConnection: (reason: string) => void;
}

/** Reports when an operation failed because the database has no more disk space or connections. */
export class WatchedDatabase implements Database {
  readonly engine: Database["engine"];

  constructor(private readonly inner: Database, private readonly shortages: Shortages) {
    this.engine = inner.engine;
  }

  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
    return this.#watch(this.inner.tenant(tenantId, work, limits));
  }

  shared<T>(work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
    return this.#watch(this.inner.shared(work, limits));
  }

  owner<T>(work: (tx: OwnerTx) => Promise<T>): Promise<T> {
    return this.#watch(this.inner.owner(work));
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  async #watch<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      const cause = error instanceof StoreUnavailable ? error.cause : null;
      if (isDiskFull(cause)) this.shortages.onDiskFull();
      if (isShortOfConnections(cause)) this.shortages.onNoConnection(messageOf(cause));
      throw error;
    }
  }
}
