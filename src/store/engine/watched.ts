import { type Database, type OwnerTx, StoreUnavailable, type Tx } from "./database.ts";
import type { Limits } from "./limits.ts";
import { isDiskFull } from "./retry.ts";

/** Reports when an operation failed because the disk of the database is full. */
export class WatchedDatabase implements Database {
  readonly engine: Database["engine"];

  constructor(private readonly inner: Database, private readonly onDiskFull: () => void) {
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
      if (error instanceof StoreUnavailable && isDiskFull(error.cause)) this.onDiskFull();
      throw error;
    }
  }
}
