// Progress and state of each connector instance.

import type {
  ConnectorCounter,
  ConnectorStateName,
  FailureClass,
} from "../../contract/connector/connector.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import type { Tx } from "../engine/database.ts";
import { logEdges } from "./event-log.ts";
import { textArray, timestampLiteral } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";

/** An instance as reported. Times in microseconds. */
export interface ConnectorState extends Record<ConnectorCounter, number> {
  instance: string;
  /** The connector's `id`: its type. */
  connector: string;
  state: ConnectorStateName;
  /** Why the last delivery round failed; null unless the state is `error`. */
  failureClass: FailureClass | null;
  /** For administrators; may name the receiver's host. */
  message: string | null;
  /** When it entered its state. */
  since: number;
  lastSuccessAt: number | null;
  /** Delivery rounds since the last acknowledged one. */
  consecutiveFailures: number;
  /** Items acknowledged in the last 60 minutes by the serving process. */
  itemsLastHour: number;
  /** Number of the last processed event; null until the instance is enabled for the first time. */
  bookmark: number | null;
  /** End of the wait of a held event; null if none is held. */
  blockedUntil: number | null;
}

/** An instance in the configuration. */
interface ConnectorInstance {
  instance: string;
  connector: string;
  /** Whether it is `enabled` and connectors are switched on. */
  active: boolean;
}

/** The progress that the serving core saves. */
export type ConnectorProgress =
  & Omit<ConnectorState, "instance" | "connector" | "bookmark">
  & { bookmark: number; holds: number };

/** Another core serves the instance now; this one must not change it. */
export class ConnectorTaken extends Error {
  constructor(instance: string) {
    super(`another core serves the connector instance ${instance} now`);
  }
}

interface Row {
  instance: string;
  connector: string;
  state: ConnectorStateName;
  failure_class: FailureClass | null;
  message: string | null;
  since: number;
  last_success_at: number | null;
  consecutive_failures: number;
  items_last_hour: number;
  delivered: number;
  failed: number;
  rejected: number;
  dropped: number;
  pending: number;
  bookmark: number | null;
  holds: number;
  blocked_until: number | null;
}

/** A tenant's configured instances by name, in any state. */
export async function connectorStates(tx: Tx, tenantId: string): Promise<ConnectorState[]> {
  const rows = await tx.rows<Row>(sql`
    select * from connector_state where tenant_id = ${tenantId} and configured order by instance`);
  return rows.map(stateOf);
}

/**
 * Applies the configuration of a tenant's instances. One that is active for the first time starts at the head
 * of the log. An instance that is no longer configured is hidden, and keeps its bookmark in case it returns.
 */
export async function configureConnectors(
  tx: Tx,
  tenantId: string,
  instances: readonly ConnectorInstance[],
  now: number,
): Promise<void> {
  const at = sql`${timestampLiteral(now)}::timestamptz`;
  const { last: head } = await logEdges(tx, tenantId);
  for (const { instance, connector, active } of instances) {
    const start = active ? "unknown" : "disabled";
    await tx.run(sql`
      insert into connector_state (tenant_id, instance, connector, state, since, bookmark)
      values (${tenantId}, ${instance}, ${connector}, ${start}, ${at}, ${active ? head : null}::bigint)
      on conflict (tenant_id, instance) do update set connector = excluded.connector, configured = true,
        bookmark = coalesce(connector_state.bookmark, excluded.bookmark)`);
    // An instance that stays enabled keeps its state; one that is enabled or disabled starts with a clean
    // one.
    await tx.run(sql`
      update connector_state set state = ${start}, since = ${at}, failure_class = null, message = null,
        consecutive_failures = 0, items_last_hour = 0, delivered = 0, failed = 0, rejected = 0, dropped = 0,
        pending = 0, holds = 0, blocked_until = null
      where tenant_id = ${tenantId} and instance = ${instance}
        and (state = 'disabled') <> ${!active}::boolean`);
  }
  await tx.run(sql`
    update connector_state set configured = false
    where tenant_id = ${tenantId} and configured
      and instance <> all(${textArray(instances.map(({ instance }) => instance))}::text[])`);
}

/**
 * Claims an instance for the lease's epoch: only this epoch may save its progress. Returns the saved
 * progress.
 *
 * @throws ConnectorTaken if a later epoch has claimed it, or the instance is not configured to be active
 */
export async function claimConnector(
  tx: Tx,
  tenantId: string,
  instance: string,
  epoch: number,
): Promise<ConnectorProgress> {
  const [row] = await tx.rows<Row>(sql`
    update connector_state set epoch = ${epoch}::bigint
    where tenant_id = ${tenantId} and instance = ${instance} and configured and epoch <= ${epoch}::bigint
    returning *`);
  if (row === undefined || row.bookmark === null) throw new ConnectorTaken(instance);
  return { ...stateOf(row), bookmark: row.bookmark, holds: row.holds };
}

/**
 * Saves the progress of an instance.
 *
 * @throws ConnectorTaken if another epoch has claimed it
 */
export async function saveConnector(
  tx: Tx,
  tenantId: string,
  instance: string,
  epoch: number,
  now: ConnectorProgress,
): Promise<void> {
  const changed = await tx.run(sql`
    update connector_state set state = ${now.state}, failure_class = ${now.failureClass}, message = ${now.message},
      since = ${time(now.since)}, last_success_at = ${time(now.lastSuccessAt)},
      consecutive_failures = ${now.consecutiveFailures}, items_last_hour = ${now.itemsLastHour},
      delivered = ${now.delivered}, failed = ${now.failed}, rejected = ${now.rejected}, dropped = ${now.dropped},
      pending = ${now.pending}, bookmark = ${now.bookmark}, holds = ${now.holds},
      blocked_until = ${time(now.blockedUntil)}
    where tenant_id = ${tenantId} and instance = ${instance} and epoch = ${epoch}::bigint`);
  if (changed === 0) throw new ConnectorTaken(instance);
}

/** The name of the lease under which one core serves an instance. */
export function connectorLease(instance: string): string {
  return `connector:${instance}`;
}

/**
 * Sets the bookmark before the oldest kept event, so that the whole log is delivered again. Only while no
 * core serves the instance. Returns false if there is no such instance.
 */
export async function resetConnector(tx: Tx, tenantId: string, instance: string): Promise<boolean> {
  const { first } = await logEdges(tx, tenantId);
  return await tx.run(sql`
    update connector_state set bookmark = ${first - 1}::bigint, holds = 0, blocked_until = null
    where tenant_id = ${tenantId} and instance = ${instance}`) > 0;
}

/** The properties that decide whether an instance receives an event. */
export interface NumberedHead {
  eventNo: number;
  type: string;
  /** Severity of its incident; null without one. */
  severity: Severity | null;
}

/** As `eventsAfter`, without the bodies. */
export async function eventHeadsAfter(
  tx: Tx,
  tenantId: string,
  after: number,
  limit: number,
): Promise<NumberedHead[]> {
  const rows = await tx.rows<{ event_no: number; type: string; severity: Severity | null }>(sql`
    select event_no, type, body -> 'incident' ->> 'severity' as severity from event_log
    where tenant_id = ${tenantId} and event_no > ${after}::bigint
    order by event_no limit ${limit}`);
  return rows.map(({ event_no: eventNo, type, severity }) => ({ eventNo, type, severity }));
}

function stateOf(row: Row): ConnectorState {
  return {
    instance: row.instance,
    connector: row.connector,
    state: row.state,
    failureClass: row.failure_class,
    message: row.message,
    since: row.since,
    lastSuccessAt: row.last_success_at,
    consecutiveFailures: row.consecutive_failures,
    itemsLastHour: row.items_last_hour,
    delivered: row.delivered,
    failed: row.failed,
    rejected: row.rejected,
    dropped: row.dropped,
    pending: row.pending,
    bookmark: row.bookmark,
    blockedUntil: row.blocked_until,
  };
}

function time(micros: number | null): Sql {
  return micros === null ? sql`null` : sql`${timestampLiteral(micros)}::timestamptz`;
}
