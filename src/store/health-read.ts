import type { Tx } from "./database.ts";
import { timestampLiteral } from "./literals.ts";
import { oldestPending } from "./retention.ts";
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
  const oldestBuffered = await oldestPending(tx, tenantId);
  const receipts = await tx.rows<{ sensor_id: string; last_event_at: number }>(
    sql`select sensor_id, last_event_at from sensor_receipt where tenant_id = ${tenantId}`,
  );
  return {
    ...counts!,
    oldestBuffered,
    lastEventBySensor: new Map(receipts.map((row) => [row.sensor_id, row.last_event_at])),
  };
}
