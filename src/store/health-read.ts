import type { Tx } from "./database.ts";
import { timestampLiteral } from "./literals.ts";
import { readCursor } from "./pending.ts";
import { sql } from "./sql.ts";

/** What the store knows of a tenant's ingest; times are the server's receipt times, in microseconds. */
export interface IngestFacts {
  events: number;
  unparsed: number;
  rejected: number;
  oldestBuffered: number | null;
  lastEventBySensor: Map<string, number>;
}

/** Counts cover batches received since `since`. */
export async function ingestFacts(tx: Tx, tenantId: string, since: number): Promise<IngestFacts> {
  const [counts] = await tx.rows<{ events: number; unparsed: number; rejected: number }>(sql`
    select coalesce(sum(accepted), 0)::int as events, coalesce(sum(unparsed), 0)::int as unparsed,
      coalesce(sum(rejected), 0)::int as rejected
    from raw_batch where tenant_id = ${tenantId} and received_at >= ${timestampLiteral(since)}::timestamptz`);
  // Two statements: under row-level security `coalesce` and sub-queries keep a condition from the index.
  const { batchNo } = await readCursor(tx, tenantId);
  const [pending] = await tx.rows<{ received_at: number }>(sql`
    select received_at from raw_batch where tenant_id = ${tenantId} and batch_no > ${batchNo}::bigint
    order by batch_no limit 1`);
  const receipts = await tx.rows<{ sensor_id: string; last_event_at: number }>(
    sql`select sensor_id, last_event_at from sensor_receipt where tenant_id = ${tenantId}`,
  );
  return {
    ...counts!,
    oldestBuffered: pending?.received_at ?? null,
    lastEventBySensor: new Map(receipts.map((row) => [row.sensor_id, row.last_event_at])),
  };
}
