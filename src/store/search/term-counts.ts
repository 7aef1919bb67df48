// How often the dictionary's texts are used, added up from their postings.

import type { Tx } from "../engine/database.ts";
import { timestampArray } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

export const MAX_MAGNITUDE = 6;
/** Counts from which the magnitudes 1 to 6 begin. */
const MAGNITUDES = `{${Array.from({ length: MAX_MAGNITUDE }, (_, at) => 16 ** (at + 1)).join(",")}}`;

/** Batches that one transaction counts: less than a second's work. */
const BATCHES = 250;

/**
 * Adds the postings that have not been counted to the dictionary, of some more batches up to `through`, which the
 * pipeline has processed. Returns true if that was the last one.
 */
export async function countTerms(tx: Tx, tenantId: string, through: number): Promise<boolean> {
  // Locked, so that no posting is counted twice.
  const [row] = await tx.rows<{ batch_no: number }>(sql`
    insert into term_count (tenant_id, batch_no) values (${tenantId}, 0)
    on conflict (tenant_id) do update set batch_no = term_count.batch_no returning batch_no`);
  const counted = row!.batch_no;
  if (counted >= through) return true;
  const last = Math.min(through, counted + BATCHES);
  const uncounted = sql`
    from flow_term where tenant_id = ${tenantId} and batch_no > ${counted}::bigint and batch_no <= ${last}::bigint`;
  const days = await tx.rows<{ day: number }>(sql`select distinct day ${uncounted}`);
  if (days.length > 0) {
    // Given as a value, the days limit the partitions that are read.
    const listed = timestampArray(days.map(({ day }) => day));
    await tx.run(sql`
      update term t set
        record_count = t.record_count + u.record_count,
        magnitude = width_bucket(t.record_count + u.record_count, ${MAGNITUDES}::bigint[]),
        received_at = greatest(t.received_at, u.received_at)
      from (
        select term_id, day, sum(record_count)::bigint as record_count, max(received_at) as received_at ${uncounted}
          and day = any(${listed}::timestamptz[])
        group by term_id, day
      ) u
      where t.tenant_id = ${tenantId} and t.day = any(${listed}::timestamptz[])
        and t.term_id = u.term_id and t.day = u.day`);
  }
  await tx.run(sql`update term_count set batch_no = ${last}::bigint where tenant_id = ${tenantId}`);
  return last >= through;
}
