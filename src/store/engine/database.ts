import { messageOf } from "../../kit/errors.ts";
import type { Limits } from "./limits.ts";
import type { Sql } from "./sql.ts";

type Row = Record<string, unknown>;

/** An open transaction. It ends with the callback that receives it; do not keep a reference. */
export interface Tx {
  /** Runs one statement and returns its rows. `bigint` columns are numbers, or bigints above 2^53 - 1. */
  rows<R extends object = Row>(statement: Sql): Promise<R[]>;
  /** Runs one statement and returns how many rows it changed. */
  run(statement: Sql): Promise<number>;
}

/** An owner's transaction, which can also run scripts of several statements. */
export interface OwnerTx extends Tx {
  script(text: string): Promise<void>;
}

/**
 * PostgreSQL or the embedded PGlite behind one interface.
 *
 * `timestamptz` columns are read as microseconds since the epoch, and written through `literals.ts`. Every
 * method runs its callback in one transaction, commits when it resolves and rolls back when it throws.
 * Serialization failures and deadlocks (40001, 40P01) are retried, so a callback may run more than once. A
 * failed statement fails its transaction, even if the callback catches the error.
 *
 * With `limits`, a transaction that runs or waits too long throws StoreUnavailable, and one whose caller is gone throws
 * CallerGone; both change nothing, unless the COMMIT was already in progress.
 */
export interface Database {
  readonly engine: "postgres" | "pglite";

  /** Work for one tenant: runs as the plain role, and row-level security shows only this tenant's rows. */
  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T>;

  /** Work on the global tables (sessions, nonces, leases, tenants); sees no tenant's rows. */
  shared<T>(work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T>;

  /** Schema and partition upkeep as the owner. Requests must not use it. */
  owner<T>(work: (tx: OwnerTx) => Promise<T>): Promise<T>;

  close(): Promise<void>;
}

/** The store cannot be reached or cannot commit now: callers answer 503, and senders retry. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the store is not available: ${messageOf(cause)}`, { cause });
  }
}

/** A transaction ran for longer than its limit and was ended. */
export class TooLate extends StoreUnavailable {
  constructor(limitMs: number) {
    super(new Error(`no result within ${limitMs} ms`));
  }
}

/** No place among the transactions that may run at a time became free in time. */
export class NoPlace extends StoreUnavailable {}

/** The signal of a transaction's limits aborted: its result has no receiver. */
export class CallerGone extends Error {
  constructor() {
    super("the caller is gone");
  }
}
