import {
  type Database,
  type OwnerTx,
  StoreUnavailable,
  type Tx,
} from "../../../src/store/engine/database.ts";
import type { Limits } from "../../../src/store/engine/limits.ts";

/** A database that outlives its user: closing waits for its transactions, refuses further ones and gives it back. */
export class LentDatabase implements Database {
  readonly engine: Database["engine"];
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | null = null;

  constructor(private readonly db: Database, private readonly giveBack: () => void) {
    this.engine = db.engine;
  }

  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
    return this.#run(() => this.db.tenant(tenantId, work, limits));
  }

  shared<T>(work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
    return this.#run(() => this.db.shared(work, limits));
  }

  owner<T>(work: (tx: OwnerTx) => Promise<T>): Promise<T> {
    return this.#run(() => this.db.owner(work));
  }

  close(): Promise<void> {
    return this.#closed ??= Promise.allSettled(this.#running).then(() => this.giveBack());
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable(new Error("the database is closed")));
    const result = work();
    this.#running.add(result);
    const ended = () => void this.#running.delete(result);
    result.then(ended, ended);
    return result;
  }
}
