import type { Tx } from "../engine/database.ts";
import { jsonText, timestampLiteral } from "../engine/literals.ts";
import { type Column, relation } from "../engine/rows.ts";
import { type Sql, sql } from "../engine/sql.ts";

export interface LoggedEvent {
  /** `evt_` plus 32 hex characters; receivers drop repeats by it. */
  eventId: string;
  type: string;
  /** Microseconds. */
  occurredAt: number;
  /** What the envelope carries beside the common fields. */
  body: unknown;
}

/** An event as it stands in the log. Numbers are a tenant's own, begin with 1 and have no gaps. */
export interface NumberedEvent extends LoggedEvent {
  eventNo: number;
}

/**
 * Where a tenant's log begins and ends. Every number from `first` to `last` is there; `first` is `last + 1` where
 * nothing is kept, and `last` is 0 where nothing ever was.
 */
interface LogEdges {
  /** The oldest event that is kept. */
  first: number;
  /** The newest event that was committed, kept or not: where a new reader starts. */
  last: number;
}

const DAY = 86_400_000_000;
/** What the log keeps of a tenant, whichever is smaller. */
export const KEPT_EVENTS = 10_000;
const KEPT_EVENT_DAYS = 7;

const COLUMNS: Column<LoggedEvent & { place: number }>[] = [
  { name: "place", type: "integer", of: (event) => event.place },
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
  const placed = events.map((event, at) => ({ ...event, place: at + 1 }));
  await tx.run(sql`
    with taken as (${numbersOf(tenantId, sql`event_no`, events.length)})
    insert into event_log (tenant_id, event_no, event_id, type, occurred_at, body)
    select ${tenantId}, taken.last - ${events.length} + place, event_id, type, occurred_at, body
    from taken cross join ${relation(COLUMNS, placed)}`);
}

/**
 * The next events of a reader that has come to number `after`: at most `limit`, in their order. Whatever commits later has
 * a higher number, so a reader that follows the numbers passes nothing by. Where the first one is not `after + 1`, those
 * between have been pruned, and their number is exactly that difference; where none is left, `logEdges` asked afterwards
 * tells it: `first - 1 - after`.
 */
export async function eventsAfter(
  tx: Tx,
  tenantId: string,
  after: number,
  limit: number,
): Promise<NumberedEvent[]> {
  const rows = await tx.rows<
    { event_no: number; event_id: string; type: string; occurred_at: number; body: unknown }
  >(sql`
    select event_no, event_id, type, occurred_at, body from event_log
    where tenant_id = ${tenantId} and event_no > ${after}::bigint
    order by event_no limit ${limit}`);
  return rows.map(({ event_no, event_id, type, occurred_at, body }) => ({
    eventNo: event_no,
    eventId: event_id,
    type,
    occurredAt: occurred_at,
    body,
  }));
}

/** What is kept of the log, and where it stands, as of one moment. */
export async function logEdges(tx: Tx, tenantId: string): Promise<LogEdges> {
  // One statement, so that no pruning and no commit comes in between.
  const [row] = await tx.rows<{ first: number | null; last: number | null }>(sql`
    select
      (select event_no from event_log where tenant_id = ${tenantId} order by event_no limit 1) as first,
      (select event_no from tenant_counter where tenant_id = ${tenantId}) as last`);
  const last = row!.last ?? 0;
  return { first: row!.first ?? last + 1, last };
}

/**
 * Removes what is older than seven days at `now` (microseconds), and all but the newest 10,000 events; returns how many
 * went. Only ever the beginning goes: an event of a clock that stood wrong waits for those before it, so that what a
 * reader has missed is a plain difference of numbers.
 */
export async function pruneEvents(tx: Tx, tenantId: string, now: number): Promise<number> {
  const since = timestampLiteral(now - KEPT_EVENT_DAYS * DAY);
  const { last } = await logEdges(tx, tenantId);
  const [young] = await tx.rows<{ event_no: number }>(sql`
    select event_no from event_log
    where tenant_id = ${tenantId} and event_no > ${last - KEPT_EVENTS}::bigint
      and occurred_at >= ${since}::timestamptz
    order by event_no limit 1`);
  const before = young?.event_no ?? last + 1;
  return await tx.run(sql`
    delete from event_log where tenant_id = ${tenantId} and event_no < ${before}::bigint`);
}

/** Takes the next `count` numbers for a tenant's incidents; returns the last of them. */
export async function takeIncidentNumbers(tx: Tx, tenantId: string, count: number): Promise<number> {
  const [row] = await tx.rows<{ last: number }>(numbersOf(tenantId, sql`incident_no`, count));
  return row!.last;
}

/** Takes `count` numbers of a tenant's counter; gives the last of them. */
function numbersOf(tenantId: string, counter: Sql, count: number): Sql {
  return sql`
    insert into tenant_counter (tenant_id, ${counter}) values (${tenantId}, ${count})
    on conflict (tenant_id) do update set ${counter} = tenant_counter.${counter} + ${count}
    returning ${counter} as last`;
}
