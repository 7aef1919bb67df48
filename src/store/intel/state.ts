import type { Tx } from "../engine/database.ts";
import { sql } from "../engine/sql.ts";

/** The lists that a tenant's records were matched against, by digest; '' for none. */
interface IntelState {
  /** The newest batch that the pipeline has processed. */
  batch: number;
  /** Batches after `since` were matched against these lists by the pipeline. */
  digest: string;
  since: number;
  /** Batches up to `pastBatch`, as far as kept, were matched against these lists. */
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

/** Whether all kept records were matched against these lists. */
export function isMatched(state: IntelState, digest: string): boolean {
  return state.digest === digest && state.pastDigest === digest && state.pastBatch >= state.since;
}

/**
 * Switches to other lists from the next batch on; false if they are current already. Locks the cursor's row
 * until COMMIT, so that no round runs in between.
 */
export async function switchIntel(tx: Tx, tenantId: string, digest: string): Promise<boolean> {
  const known = await intelState(tx, tenantId);
  if (known.digest === digest) return false;
  // If everything was matched against the old lists, that now holds up to this batch.
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

/** Records that batches up to `batch`, as far as kept, were matched against these lists. */
export async function setPastMatched(tx: Tx, tenantId: string, digest: string, batch: number): Promise<void> {
  await tx.run(sql`
    update pipeline_cursor set past_digest = ${digest}, past_batch = ${batch}::bigint
    where tenant_id = ${tenantId}`);
}
