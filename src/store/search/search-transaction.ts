import { type Database, StoreUnavailable, type Tx } from "../engine/database.ts";
import { errorCode } from "../engine/retry.ts";
import { sql } from "../engine/sql.ts";
import { useRepeatableRead } from "../flow/list.ts";

/** A statement of the search took too long: a narrower filter or window is answered. */
export class SearchTooBroad extends Error {
  constructor(readonly statementMs: number, cause: unknown) {
    super(`the search took longer than ${statementMs} ms`, { cause });
  }
}

/** Ends before the request's own limit (`API_LIMITS`), which reports the store as unavailable. */
const STATEMENT_MS = 6000;
/** `query_canceled`: by the statement's timeout. */
const CANCELED = "57014";

/**
 * A transaction of a search, whose statements read the same rows. The embedded engine has no timeouts.
 *
 * @throws SearchTooBroad if a statement takes too long
 */
export async function searchTransaction<T>(
  db: Database,
  tenantId: string,
  work: (tx: Tx) => Promise<T>,
  statementMs = STATEMENT_MS,
): Promise<T> {
  try {
    return await db.tenant(tenantId, async (tx) => {
      await useRepeatableRead(tx);
      await tx.run(sql`select set_config('statement_timeout', ${String(statementMs)}, true)`);
      return await work(tx);
    });
  } catch (error) {
    const cause = error instanceof StoreUnavailable ? error.cause : error;
    if (errorCode(cause) === CANCELED) throw new SearchTooBroad(statementMs, error);
    throw error;
  }
}
