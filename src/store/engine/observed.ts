import type { Database, OwnerTx, Tx } from "./database.ts";
import type { Limits } from "./limits.ts";
import { Sql } from "./sql.ts";

/** Observes the work of requests on a database. */
interface TransactionObserver {
  /** Id of the current request; null outside of one. */
  requestId(): string | null;
  /** Runs a whole transaction with its retries. `tenantId` is null for one on global tables. */
  around<T>(tenantId: string | null, work: () => Promise<T>): Promise<T>;
}

/**
 * The database for API requests: each statement starts with a comment that names its request, so that the
 * server's log and `pg_stat_activity` lead back to it. `pg_stat_statements` ignores comments. Statements with
 * a kept plan must not change their text and get none, but other statements of their transaction do. Ingest
 * and pipeline use the database without this wrapper.
 */
export class ObservedDatabase implements Database {
  readonly engine: Database["engine"];

  constructor(private readonly inner: Database, private readonly observer: TransactionObserver) {
    this.engine = inner.engine;
  }

  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
    return this.observer.around(
      tenantId,
      () => this.inner.tenant(tenantId, (tx) => work(this.#commenting(tx)), limits),
    );
  }

  shared<T>(work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
    return this.observer.around(
      null,
      () => this.inner.shared((tx) => work(this.#commenting(tx)), limits),
    );
  }

  owner<T>(work: (tx: OwnerTx) => Promise<T>): Promise<T> {
    return this.inner.owner(work);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  #commenting(tx: Tx): Tx {
    const requestId = this.observer.requestId();
    if (requestId === null || !/^[0-9a-f-]{36}$/.test(requestId)) return tx;
    const comment = `/* request_id=${requestId} */ `;
    return {
      rows: (statement) => tx.rows(commented(comment, statement)),
      run: (statement) => tx.run(commented(comment, statement)),
    };
  }
}

function commented(comment: string, statement: Sql): Sql {
  if (statement.name !== undefined) return statement;
  const { strings, values } = statement;
  return new Sql([comment + (strings[0] ?? ""), ...strings.slice(1)], values);
}
