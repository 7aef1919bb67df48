// How often the dictionary's texts are used: each round lists its uses in one row for a day, and a job adds them up.

import type { Tx } from "../engine/database.ts";
import { timestampArray, timestampLiteral } from "../engine/literals.ts";
import { binaryColumn } from "../engine/postgres/binary-array.ts";
import { type Sql, sql } from "../engine/sql.ts";

export const MAX_MAGNITUDE = 6;
/** Counts from which the magnitudes 1 to 6 begin. */
const MAGNITUDES = `{${Array.from({ length: MAX_MAGNITUDE }, (_, at) => 16 ** (at + 1)).join(",")}}`;

/** Rows that one transaction counts: less than a second's work. */
const ROWS = 64;

/** How many records of a round state the texts of an id. */
interface IdUse {
  termId: bigint;
  day: number;
  records: number;
  receivedAt: number;
}

/** The statements that list a round's uses, each id and day once. `batchNo`: the last batch of the round. */
export function useWrites(tenantId: string, batchNo: number, uses: readonly IdUse[]): Sql[] {
  return [...Map.groupBy(uses, ({ day }) => day)].map(([day, ofDay]) => {
    const receivedAt = ofDay.reduce((latest, use) => Math.max(latest, use.receivedAt), -Infinity);
    return sql`
      insert into term_use (tenant_id, batch_no, day, received_at, term_ids, record_counts)
      values (${tenantId}, ${batchNo}::bigint, ${timestampLiteral(day)}::timestamptz,
        ${timestampLiteral(receivedAt)}::timestamptz, ${
      binaryColumn("bigint", ofDay, (use) => use.termId)
    }::bigint[],
        ${binaryColumn("integer", ofDay, (use) => use.records)}::integer[])`;
  });
}

/** Adds the uses of the next rounds to the dictionary; returns true if there were none. */
export async function countTerms(tx: Tx, tenantId: string): Promise<boolean> {
  const [row] = await tx.rows<{ through: number | null }>(sql`
    select max(batch_no) as through from (
      select batch_no from term_use where tenant_id = ${tenantId} order by batch_no limit ${ROWS}) next`);
  const through = row!.through;
  if (through === null) return true;
  const next = sql`term_use where tenant_id = ${tenantId} and batch_no <= ${through}::bigint`;
  const days = await tx.rows<{ day: number }>(sql`select distinct day from ${next}`);
  // Given as a value, the days limit the partitions that are read.
  await tx.run(sql`
    with used as (delete from ${next} returning day, received_at, term_ids, record_counts)
    update term t set
      record_count = t.record_count + u.record_count,
      magnitude = width_bucket(t.record_count + u.record_count, ${MAGNITUDES}::bigint[]),
      received_at = greatest(t.received_at, u.received_at)
    from (
      select term_id, day, sum(record_count)::bigint as record_count, max(received_at) as received_at
      from used cross join lateral unnest(term_ids, record_counts) as each (term_id, record_count)
      group by term_id, day
    ) u
    where t.tenant_id = ${tenantId} and t.day = any(${
    timestampArray(days.map(({ day }) => day))
  }::timestamptz[])
      and t.term_id = u.term_id and t.day = u.day`);
  return false;
}
