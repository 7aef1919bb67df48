import { type Database, StoreUnavailable, TooLate, type Tx } from "../engine/database.ts";
import { API_LIMITS } from "../engine/limits.ts";
import { errorCode } from "../engine/retry.ts";
import type { Sql } from "../engine/sql.ts";
import { useRepeatableRead } from "../flow/list.ts";

/** A search that would read too much, or took too long; the message says what would narrow it. */
export class SearchTooBroad extends Error {
  /** @param details The limit, for the client. */
  constructor(message: string, readonly details: Readonly<Record<string, number | string>>, cause?: unknown) {
    super(message, { cause });
  }
}

/** All statements of a search together. Less than the request's own limit, which reports the store as unavailable. */
const SEARCH_MS = 8000;
/** `query_canceled`: by the statement's timeout. */
const CANCELED = "57014";

/**
 * Runs the statements of a search. On PostgreSQL they read the same rows; on the embedded engine each is a transaction
 * of its own, because its only connection serves everything else in between.
 *
 * @throws SearchTooBroad if they take too long together
 */
export async function searchTransaction<T>(
  db: Database,
  tenantId: string,
  work: (tx: Tx) => Promise<T>,
  limitMs = SEARCH_MS,
): Promise<T> {
  if (db.engine === "pglite") return await work(new PiecewiseTx(db, tenantId, limitMs));
  try {
    return await db.tenant(tenantId, async (tx) => {
      await useRepeatableRead(tx);
      return await work(tx);
    }, { ...API_LIMITS, statementMs: limitMs, answerMs: limitMs });
  } catch (error) {
    const cause = error instanceof StoreUnavailable ? error.cause : error;
    if (error instanceof TooLate || errorCode(cause) === CANCELED) throw tookTooLong(limitMs, error);
    throw error;
  }
}

/** Runs each statement in a transaction of its own; settings of the transaction are made again in each. */
class PiecewiseTx implements Tx {
  /** Milliseconds that the statements took, without waiting for their turns. */
  #spent = 0;
  readonly #settings: Sql[] = [];

  constructor(
    private readonly db: Database,
    private readonly tenantId: string,
    private readonly limitMs: number,
  ) {}

  rows<R extends object>(statement: Sql): Promise<R[]> {
    return this.#piece((tx) => tx.rows<R>(statement));
  }

  async run(statement: Sql): Promise<number> {
    if (statement.isSetting) this.#settings.push(statement);
    return await this.#piece((tx) => tx.run(statement));
  }

  async #piece<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#spent > this.limitMs) throw tookTooLong(this.limitMs);
    return await this.db.tenant(this.tenantId, async (tx) => {
      const begun = performance.now();
      for (const setting of this.#settings) await tx.run(setting);
      const result = await work(tx);
      this.#spent += performance.now() - begun;
      return result;
    });
  }
}

function tookTooLong(limitMs: number, cause?: unknown): SearchTooBroad {
  return new SearchTooBroad(
    "The search took too long; choose a shorter window, or add a condition that fewer rows meet.",
    { limit_ms: limitMs },
    cause,
  );
}
