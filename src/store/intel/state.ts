import type { Tx } from "../engine/database.ts";
import { sql } from "../engine/sql.ts";

/** Against which lists a tenant's records were matched; lists are told by their digest, '' for none. */
interface IntelState {
  /** The newest batch that the pipeline has taken up. */
  batch: number;
  /** Batches after `since` were matched against these, as the pipeline took them up. */
  digest: string;
  since: number;
  /** All that is kept of batches up to `pastBatch` was matched against these. */
  pastDigest: string;
  pastBatch: number;
}

export async function intelState(tx: Tx, tenantId: string): Promise<IntelState> {
  const [row] = await tx.rows<{
    batch_no: number;
    intel_digest: string;
    intel_batch: number;
    past_digest: string;
    past_batch: number;
  }>(sql`
    select batch_no, intel_digest, intel_batch, past_digest, past_batch from pipeline_cursor
    where tenant_id = ${tenantId}`);
  return {
    batch: row?.batch_no ?? 0,
    digest: row?.intel_digest ?? "",
    since: row?.intel_batch ?? 0,
    pastDigest: row?.past_digest ?? "",
    pastBatch: row?.past_batch ?? 0,
  };
}

/** Whether everything that is kept was matched against these lists. */
export function isMatched(state: IntelState, digest: string): boolean {
  return state.digest === digest && state.pastDigest === digest && state.pastBatch >= state.since;
}

/**
 * From the next batch on records are matched against other lists. False where they are those already. Holds the cursor's
 * row until COMMIT, so that no round is in between.
 */
export async function switchIntel(tx: Tx, tenantId: string, digest: string): Promise<boolean> {
  const known = await intelState(tx, tenantId);
  if (known.digest === digest) return false;
  // Where all was matched against the old lists, that now holds up to here.
  await tx.run(sql`
    insert into pipeline_cursor (tenant_id, batch_no, intel_digest) values (${tenantId}, 0, ${digest})
    on conflict (tenant_id) do update set
      intel_digest = excluded.intel_digest,
      intel_batch = pipeline_cursor.batch_no,
      past_batch = case
        when pipeline_cursor.past_digest = pipeline_cursor.intel_digest
          and pipeline_cursor.past_batch >= pipeline_cursor.intel_batch
        then pipeline_cursor.batch_no else pipeline_cursor.past_batch end`);
  return true;
}

/** All that is kept of batches up to `batch` was matched against these lists. */
export async function setPastMatched(tx: Tx, tenantId: string, digest: string, batch: number): Promise<void> {
  await tx.run(sql`
    update pipeline_cursor set past_digest = ${digest}, past_batch = ${batch}::bigint
    where tenant_id = ${tenantId}`);
}
