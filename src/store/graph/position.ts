import type { Tx } from "../engine/database.ts";
import { sql } from "../engine/sql.ts";
import { oldestPending } from "../record/pending.ts";

/** Where the pipeline stands, and what else a graph shows that changes. */
export interface GraphVersion {
  /** The last batch that the pipeline has processed. */
  batchNo: number;
  /**
   * Differs when an earlier state may have replaced the rollups: another server took over, the server was started again
   * (a restored one is), or their table was made again or emptied. What was read before then is out of date.
   */
  store: string;
  /**
   * Differs whenever an incident, a suppression or, by a person's entry, a device was changed, and when stored records
   * have been matched against other lists.
   */
  changes: string;
}

export async function graphVersion(tx: Tx, tenantId: string): Promise<GraphVersion> {
  const [row] = await tx.rows<
    { batch_no: number; incidents: number; devices: number; store: string; matched: string }
  >(sql`
    select concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
        (select oid from pg_database where datname = current_database()),
        pg_relation_filenode('graph_traffic'::regclass)) as store,
      coalesce(p.batch_no, 0) as batch_no, coalesce(c.incidents, 0) as incidents,
      coalesce(c.devices, 0) as devices, coalesce(p.past_digest || ' ' || p.past_batch, '') as matched
    from (select) one
    left join list_change c on c.tenant_id = ${tenantId}
    left join pipeline_cursor p on p.tenant_id = ${tenantId}`);
  const { batch_no, incidents, devices, store, matched } = row!;
  return { batchNo: batch_no, store, changes: `${incidents} ${devices} ${matched}` };
}

export function isSameVersion(a: GraphVersion, b: GraphVersion): boolean {
  return a.batchNo === b.batchNo && a.store === b.store && a.changes === b.changes;
}

/** Records that were committed until then have been processed; `now` if all have. In microseconds. */
export async function processedUntil(tx: Tx, tenantId: string, now: number): Promise<number> {
  const pending = await oldestPending(tx, tenantId);
  return pending === null ? now : Math.min(now, pending - 1000);
}
