import type { Tx } from "./database.ts";
import { jsonText } from "./literals.ts";
import { type Column, insertRows } from "./rows.ts";
import { sql } from "./sql.ts";

export interface LoggedEvent {
  /** `evt_` plus 32 hex characters; receivers drop repeats by it. */
  eventId: string;
  type: string;
  /** Microseconds. */
  occurredAt: number;
  /** What the envelope carries beside the common fields. */
  body: unknown;
}

const COLUMNS: Column<LoggedEvent & { eventNo: number }>[] = [
  { name: "event_no", type: "bigint", of: (event) => event.eventNo },
  { name: "event_id", type: "text", of: (event) => event.eventId },
  { name: "type", type: "text", of: (event) => event.type },
  { name: "occurred_at", type: "timestamptz", of: (event) => event.occurredAt },
  { name: "body", type: "text", cast: "jsonb", of: (event) => jsonText(event.body) },
];

/**
 * Appends events with the next numbers. Call it last in the transaction: it holds the tenant's counter until
 * COMMIT, so that no reader can see a number before all smaller ones are visible.
 */
export async function appendEvents(tx: Tx, tenantId: string, events: readonly LoggedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const last = await takeNumbers(tx, tenantId, "event_no", events.length);
  const numbered = events.map((event, index) => ({ ...event, eventNo: last - events.length + 1 + index }));
  await tx.run(insertRows("event_log", tenantId, COLUMNS, numbered));
}

/** Takes `count` numbers of a tenant's counter; returns the last of them. */
export async function takeNumbers(
  tx: Tx,
  tenantId: string,
  counter: "event_no" | "incident_no",
  count: number,
): Promise<number> {
  const column = counter === "event_no" ? sql`event_no` : sql`incident_no`;
  const [row] = await tx.rows<{ last: number }>(sql`
    insert into tenant_counter (tenant_id, ${column}) values (${tenantId}, ${count})
    on conflict (tenant_id) do update set ${column} = tenant_counter.${column} + ${count}
    returning ${column} as last`);
  return row!.last;
}
