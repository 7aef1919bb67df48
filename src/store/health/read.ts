import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { oldestPending } from "../record/pending.ts";
import { sql } from "../engine/sql.ts";

/** A tenant's ingest; times are receipt times in microseconds. */
export interface IngestFacts {
  events: number;
  unparsed: number;
  rejected: number;
  oldestBuffered: number | null;
  eventsBySensor: Map<string, number>;
  lastEventBySensor: Map<string, number>;
}

/** Counts cover batches received since `since`. */
export async function ingestFacts(tx: Tx, tenantId: string, since: number): Promise<IngestFacts> {
  const counts = await tx.rows<
    { sensor_id: string; accepted: number; unparsed: number; rejected: number }
  >(sql`
    select sensor_id, sum(accepted)::int as accepted, sum(unparsed)::int as unparsed,
      sum(rejected)::int as rejected
    from raw_batch where tenant_id = ${tenantId} and received_at >= ${timestampLiteral(since)}::timestamptz
    group by sensor_id`);
  const total = (of: "accepted" | "unparsed" | "rejected") => counts.reduce((sum, row) => sum + row[of], 0);
  return {
    events: total("accepted"),
    unparsed: total("unparsed"),
    rejected: total("rejected"),
    oldestBuffered: await oldestPending(tx, tenantId),
    eventsBySensor: new Map(counts.map((row) => [row.sensor_id, row.accepted])),
    lastEventBySensor: await lastReceipts(tx, tenantId),
  };
}

/** Receipt of each sensor's newest record, in microseconds; sensors without one are left out. */
export async function lastReceipts(tx: Tx, tenantId: string): Promise<Map<string, number>> {
  const rows = await tx.rows<{ sensor_id: string; last_event_at: number }>(
    sql`select sensor_id, last_event_at from sensor_receipt where tenant_id = ${tenantId}`,
  );
  return new Map(rows.map((row) => [row.sensor_id, row.last_event_at]));
}
