import { ApiError } from "../../contract/request/errors.ts";
import type { SearchPlan } from "../../domain/search/plan.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { SearchTooBroad, searchTransaction } from "../../store/search/search-transaction.ts";

/** Reads a list: as a search if it has a filter. */
export async function listing<T>(
  db: Database,
  tenantId: string,
  plan: SearchPlan | null,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return plan === null ? await db.tenant(tenantId, work) : await searching(db, tenantId, work);
}

/**
 * Runs a search, whose statements read the same rows.
 *
 * @throws ApiError search_too_broad if its statements take too long together
 */
export async function searching<T>(db: Database, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await searchTransaction(db, tenantId, work);
  } catch (error) {
    if (!(error instanceof SearchTooBroad)) throw error;
    throw new ApiError(
      "invalid_request",
      "The search took too long; choose a shorter window, or add a condition that fewer rows meet.",
      { reason: "search_too_broad", limit_ms: error.limitMs },
    );
  }
}
