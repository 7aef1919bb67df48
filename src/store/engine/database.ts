import { messageOf } from "../../kit/errors.ts";
import type { Limits } from "./limits.ts";
import type { Sql } from "./sql.ts";

type Row = Record<string, unknown>;

/** One open transaction. It ends with the callback that received it; do not keep it. */
export interface Tx {
  /** The rows of one statement. `bigint` columns come as number, or bigint above 2^53 - 1. */
  rows<R extends object = Row>(statement: Sql): Promise<R[]>;
  /** Runs one statement and tells how many rows it changed. */
  run(statement: Sql): Promise<number>;
}

/** What an owner's transaction can do besides: run a script of several statements. */
export interface OwnerTx extends Tx {
  script(text: string): Promise<void>;
}

/**
 * PostgreSQL or the embedded PGlite behind one interface.
 *
 * Times go in and out as `Micros` through the helpers of `times.ts`; `timestamptz` columns are read as Micros.
 * Every method runs its callback in one transaction, commits when it resolves and rolls back when it throws;
 * serialization failures and deadlocks (40001, 40P01) are retried, so a callback may run more than once. A statement
 * that failed has ended its transaction: it throws even where the callback caught the error.
 *
 * Under `limits` a transaction that takes too long, or waits too long, throws StoreUnavailable and changes nothing;
 * only where its COMMIT was under way by then may it have taken effect.
 */
export interface Database {
  readonly engine: "postgres" | "pglite";

  /** Work for one tenant: a plain role under forced row-level security that sees that tenant only. */
  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T>;

  /** Work on the few global tables (sessions, nonces, leases, tenants); sees no tenant's rows. */
  shared<T>(work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T>;

  /** Schema and partition upkeep as the owner. Nothing that serves a request may use it. */
  owner<T>(work: (tx: OwnerTx) => Promise<T>): Promise<T>;

  close(): Promise<void>;
}

/** The store cannot be reached or cannot commit now; callers answer 503 and the sender tries again. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the store is not available: ${messageOf(cause)}`, { cause });
  }
}
