import { SEVERITIES, type Severity } from "../../contract/record/kinds.ts";
import { knownNow } from "../engine/clock-state.ts";
import type { Tx } from "../engine/database.ts";
import { jsonText, textArray, timestampLiteral } from "../engine/literals.ts";
import { type Column, relation } from "../engine/rows.ts";
import { type Sql, sql } from "../engine/sql.ts";

/** An event as connectors deliver it. */
export interface LoggedEvent {
  /** `evt_` plus 32 hex characters; receivers use it to drop repeats. */
  eventId: string;
  type: string;
  /** Microseconds. */
  occurredAt: number;
  /** The event's own fields, beside the envelope's. */
  body: unknown;
}

/**
 * An event in the log. Numbers are per tenant and start at 1. A missing number between two events is a pruned
 * event.
 */
export interface NumberedEvent extends LoggedEvent {
  eventNo: number;
}

/** An event without an incident, such as a health transition, ranks with this severity. */
export const OTHER_EVENTS: Severity = "medium";

/**
 * Edges of a tenant's log. After a pruning by severity the newest event is still there, so a gap is always
 * followed by an event that shows how many are missing. `first` is `last + 1` if the log is
 * empty, and `last` is 0 if it always was.
 */
interface LogEdges {
  /** The oldest kept event. */
  first: number;
  /** The newest committed event, kept or not: where a new reader starts. */
  last: number;
}

const DAY = 86_400_000_000;
/** Limits of a tenant's log, whichever is reached first. */
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
 * Appends events with the next numbers. Must come last in the transaction: it locks the tenant's counter
 * until COMMIT, so that a reader never sees a number before all smaller ones.
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
 * At most `limit` events after number `after`, in order. Later commits get higher numbers, so a reader that
 * follows the numbers misses nothing. The numbers missing between `after` and an event, or between two events,
 * were pruned; if there is none, a later call of `logEdges` gives the number of pruned events: `first - 1 -
 * after`.
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

/** The edges of a tenant's log, consistent with each other. */
export async function logEdges(tx: Tx, tenantId: string): Promise<LogEdges> {
  // One statement, so that no pruning and no commit happens in between.
  const [row] = await tx.rows<{ first: number | null; last: number | null }>(sql`
    select
      (select event_no from event_log where tenant_id = ${tenantId} order by event_no limit 1) as first,
      (select event_no from tenant_counter where tenant_id = ${tenantId}) as last`);
  const last = row!.last ?? 0;
  return { first: row!.first ?? last + 1, last };
}

/**
 * Deletes events older than seven days at `now` (microseconds; the known time if that is earlier), and those
 * beyond 10,000: the oldest of the lowest severity, so that lower ones never displace a higher one. Returns how
 * many. By age, only a prefix is deleted: an event with a wrong old time stays until those before it are deleted.
 * The limit spares the newest event, so that readers can count what they missed; it may be one too many.
 */
export async function pruneEvents(tx: Tx, tenantId: string, now: number): Promise<number> {
  const since = timestampLiteral(await knownNow(tx, now) - KEPT_EVENT_DAYS * DAY);
  const { last } = await logEdges(tx, tenantId);
  const [young] = await tx.rows<{ event_no: number }>(sql`
    select event_no from event_log
    where tenant_id = ${tenantId} and occurred_at >= ${since}::timestamptz
    order by event_no limit 1`);
  const before = young?.event_no ?? last + 1;
  const old = await tx.run(sql`
    delete from event_log where tenant_id = ${tenantId} and event_no < ${before}::bigint`);
  return old + await pruneExcess(tx, tenantId, last);
}

async function pruneExcess(tx: Tx, tenantId: string, last: number): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(sql`
    select count(*)::int as count from event_log
    where tenant_id = ${tenantId} and event_no <= ${last}::bigint`);
  // Severities are in the bodies, which are read only if needed.
  if (row!.count <= KEPT_EVENTS) return 0;
  return await tx.run(sql`
    delete from event_log
    where tenant_id = ${tenantId} and event_no < ${last}::bigint and event_no in (
      select event_no from event_log
      where tenant_id = ${tenantId} and event_no <= ${last}::bigint
      order by
        array_position(
          ${textArray(SEVERITIES)}::text[],
          coalesce(body -> 'incident' ->> 'severity', ${OTHER_EVENTS})
        ) desc,
        event_no desc
      offset ${KEPT_EVENTS})`);
}

/** Takes the next `count` numbers for a tenant's incidents; returns the last of them. */
export async function takeIncidentNumbers(tx: Tx, tenantId: string, count: number): Promise<number> {
  const [row] = await tx.rows<{ last: number }>(numbersOf(tenantId, sql`incident_no`, count));
  return row!.last;
}

/** Takes `count` numbers of a tenant's counter; returns the last of them. */
function numbersOf(tenantId: string, counter: Sql, count: number): Sql {
  return sql`
    insert into tenant_counter (tenant_id, ${counter}) values (${tenantId}, ${count})
    on conflict (tenant_id) do update set ${counter} = tenant_counter.${counter} + ${count}
    returning ${counter} as last`;
}
