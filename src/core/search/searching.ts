import { ApiError } from "../../contract/request/errors.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { type ScanEffort, useRepeatableRead } from "../../store/flow/list.ts";
import { SearchTooBroad, searchTransaction } from "../../store/search/search-transaction.ts";

/** Reads a list: as a search if it has a filter. Otherwise in one transaction, whose statements read the same rows. */
export async function listing<T>(
  db: Database,
  tenantId: string,
  effort: ScanEffort,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (effort === "search") return await searching(db, tenantId, work);
  return await db.tenant(tenantId, async (tx) => {
    // Independent statements are sent without waiting for each other, in this order.
    const [, result] = await Promise.all([useRepeatableRead(tx), work(tx)]);
    return result;
  });
}

/**
 * Runs a search, whose statements read the same rows.
 *
 * @param limitMs Of all statements together; by default that of a search.
 * @throws ApiError search_too_broad if it would read too much, or takes too long
 */
export async function searching<T>(
  db: Database,
  tenantId: string,
  work: (tx: Tx) => Promise<T>,
  limitMs?: number,
): Promise<T> {
  try {
    return await searchTransaction(db, tenantId, work, limitMs);
  } catch (error) {
    if (!(error instanceof SearchTooBroad)) throw error;
    throw new ApiError("invalid_request", error.message, { reason: "search_too_broad", ...error.details });
  }
}
