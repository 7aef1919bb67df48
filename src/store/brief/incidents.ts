// What happened to incidents on a day, and what waits for people.

import type {
  BriefAction,
  BriefIncident,
  BriefProposal,
  ClosedIncident,
  ExpiringSuppression,
} from "../../contract/brief/brief.ts";
import type { IncidentStatus, Severity } from "../../contract/record/kinds.ts";
import type { Listed } from "../../domain/brief/facts.ts";
import { formatMillis } from "../../kit/time.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";
import type { DayWindow } from "../graph/traffic-days.ts";

interface IncidentLine {
  incident_id: string;
  title: string;
  severity: Severity;
  score: number;
  status: IncidentStatus;
  device_id: string | null;
  device_name: string | null;
}

const IS_OPEN = sql`i.status in ('open', 'investigating')`;

function within(column: Sql, { from, to }: DayWindow): Sql {
  return sql`${column} >= ${timestampLiteral(from)}::timestamptz and ${column} < ${
    timestampLiteral(to)
  }::timestamptz`;
}

/** The device for which each incident `i` was opened, by the name that it has now. */
function firstDevice(tenantId: string): Sql {
  return sql`
    left join lateral (
      select s.device_id, s.display_name from incident_device x
      join device d on d.tenant_id = ${tenantId} and d.device_id = x.device_id
      join device s on s.tenant_id = ${tenantId} and s.device_id = coalesce(d.merged_into, d.device_id)
      where x.tenant_id = ${tenantId} and x.incident_id = i.incident_id order by x.ordinal limit 1
    ) d on true`;
}

function toIncident(row: IncidentLine): BriefIncident {
  return {
    id: row.incident_id,
    title: row.title,
    severity: row.severity,
    score: row.score,
    status: row.status,
    device: row.device_id === null ? null : { device_id: row.device_id, name: row.device_name! },
  };
}

export interface OpeningCount {
  modelId: string;
  severity: Severity;
  opened: number;
  open: number;
  falsePositives: number;
}

/** Incidents opened on a day, by detector and severity. */
export async function openedCounts(tx: Tx, tenantId: string, day: DayWindow): Promise<OpeningCount[]> {
  return await tx.rows<{ [Key in keyof OpeningCount]: OpeningCount[Key] }>(sql`
    select i.model_id as "modelId", i.severity, count(*)::int as opened, count(*) filter (where ${IS_OPEN})::int as open,
      count(*) filter (where i.status = 'false_positive')::int as "falsePositives"
    from incident i where i.tenant_id = ${tenantId} and ${within(sql`i.opened_at`, day)}
    group by 1, 2 order by 1, 2`);
}

/** Those of them to read first: open ones, then the highest scores. */
export async function openedIncidents(
  tx: Tx,
  tenantId: string,
  day: DayWindow,
  limit: number,
): Promise<BriefIncident[]> {
  const rows = await tx.rows<IncidentLine>(sql`
    select i.incident_id, i.title, i.severity, i.score, i.status, d.device_id, d.display_name as device_name
    from (
      select * from incident i where i.tenant_id = ${tenantId} and ${within(sql`i.opened_at`, day)}
      order by ${IS_OPEN} desc, i.score desc, i.incident_no limit ${limit}
    ) i ${firstDevice(tenantId)}
    order by ${IS_OPEN} desc, i.score desc, i.incident_no`);
  return rows.map(toIncident);
}

/** Incidents that were closed on a day and not opened again on it. */
function closings(tenantId: string, day: DayWindow): Sql {
  return sql`
    select distinct on (h.object_id) h.object_id, h.at, h.to_value from workflow_history h
    where h.tenant_id = ${tenantId} and ${within(sql`h.at`, day)} and h.action = 'status_changed'
    order by h.object_id, h.entry_no desc`;
}

const IS_CLOSING = sql`h.to_value in ('resolved', 'false_positive')`;

export async function closedCount(tx: Tx, tenantId: string, day: DayWindow): Promise<number> {
  const [row] = await tx.rows<{ closed: number }>(sql`
    select count(*)::int as closed from (${closings(tenantId, day)}) h
    join incident i on i.tenant_id = ${tenantId} and i.incident_id = h.object_id where ${IS_CLOSING}`);
  return row!.closed;
}

/** The last closings of a day, newest first. */
export async function closedIncidents(
  tx: Tx,
  tenantId: string,
  day: DayWindow,
  limit: number,
): Promise<ClosedIncident[]> {
  const rows = await tx.rows<IncidentLine & { closed_at: number }>(sql`
    select i.incident_id, i.title, i.severity, i.score, i.status, i.at as closed_at, d.device_id,
      d.display_name as device_name
    from (
      select i.*, h.at from (${closings(tenantId, day)}) h
      join incident i on i.tenant_id = ${tenantId} and i.incident_id = h.object_id where ${IS_CLOSING}
      order by h.at desc, i.incident_no limit ${limit}
    ) i ${firstDevice(tenantId)}
    order by i.at desc, i.incident_no`);
  return rows.map((row) => ({ ...toIncident(row), closed_at: formatMillis(row.closed_at) }));
}

/** Response actions without a decision, oldest first. */
export async function waitingActions(tx: Tx, tenantId: string, limit: number): Promise<BriefAction[]> {
  const rows = await tx.rows<Omit<BriefAction, "proposed_at"> & { proposed_at: number }>(sql`
    select a.action_id, a.kind, coalesce(s.display_name, a.address, a.target) as target, a.severity, a.proposed_at
    from (
      select * from response_action where tenant_id = ${tenantId} and status = 'proposed'
      order by proposed_at, action_id limit ${limit}
    ) a
    left join device d on d.tenant_id = ${tenantId} and d.device_id = a.device_id
    left join device s on s.tenant_id = ${tenantId} and s.device_id = coalesce(d.merged_into, d.device_id)
    order by a.proposed_at, a.action_id`);
  return rows.map((row) => ({ ...row, proposed_at: formatMillis(row.proposed_at) }));
}

/** Proposals without a decision, oldest first. */
export async function waitingProposals(tx: Tx, tenantId: string, limit: number): Promise<BriefProposal[]> {
  const rows = await tx.rows<Omit<BriefProposal, "created_at"> & { created_at: number }>(sql`
    select proposal_id, kind, reason, created_at from proposal
    where tenant_id = ${tenantId} and status = 'proposed' order by proposal_id limit ${limit}`);
  return rows.map((row) => ({ ...row, created_at: formatMillis(row.created_at) }));
}

/** Suppressions that end in a window unless they were revoked, the first one first. */
export async function expiringSuppressions(
  tx: Tx,
  tenantId: string,
  window: DayWindow,
  limit: number,
): Promise<Listed<ExpiringSuppression>> {
  const rows = await tx.rows<{ suppression_id: string; reason: string; expires_at: number; total: number }>(
    sql`
    select s.suppression_id, s.reason, s.expires_at, count(*) over ()::int as total from suppression s
    where s.tenant_id = ${tenantId} and s.revoked_at is null and ${within(sql`s.expires_at`, window)}
    order by s.expires_at, s.suppression_id limit ${limit}`,
  );
  return {
    items: rows.map(({ total: _, ...row }) => ({ ...row, expires_at: formatMillis(row.expires_at) })),
    total: rows[0]?.total ?? 0,
  };
}

interface OpeningsOfDay {
  /** The start of the day, in microseconds. */
  day: number;
  severity: Severity;
  opened: number;
}

/** Incidents of severity `medium` or higher that were opened on each of some days, which follow one another. */
export async function openingsByDay(
  tx: Tx,
  tenantId: string,
  days: readonly DayWindow[],
): Promise<OpeningsOfDay[]> {
  if (days.length === 0) return [];
  const bounds = sql`unnest(${timestampsOf(days, "from")}::timestamptz[], ${
    timestampsOf(days, "to")
  }::timestamptz[])`;
  return await tx.rows<OpeningsOfDay>(sql`
    select d.day, i.severity, count(*)::int as opened
    from ${bounds} as d (day, until)
    join incident i on i.tenant_id = ${tenantId} and i.opened_at >= d.day and i.opened_at < d.until
    where ${
    within(sql`i.opened_at`, { from: days[0]!.from, to: days.at(-1)!.to })
  } and i.severity in ('medium', 'high', 'critical')
    group by 1, 2 order by 1, 2`);
}

function timestampsOf(days: readonly DayWindow[], bound: keyof DayWindow): string {
  return `{${days.map((day) => timestampLiteral(day[bound])).join(",")}}`;
}

/** Median seconds from the opening of the incidents that were closed in a window to their closing; null for none. */
export async function medianCloseSeconds(
  tx: Tx,
  tenantId: string,
  window: DayWindow,
): Promise<number | null> {
  // The source's clock may be ahead of the closing.
  const [row] = await tx.rows<{ median: number | null }>(sql`
    select round(percentile_cont(0.5) within group (order by greatest(0, extract(epoch from h.at - i.opened_at)))
      )::float8 as median
    from (${closings(tenantId, window)}) h
    join incident i on i.tenant_id = ${tenantId} and i.incident_id = h.object_id where ${IS_CLOSING}`);
  return row!.median;
}

interface FalsePositiveCount {
  model_id: string;
  closed: number;
  false_positives: number;
}

/** Detectors with false positives among the incidents that were closed in a window, most first. */
export async function falsePositivesOf(
  tx: Tx,
  tenantId: string,
  window: DayWindow,
  limit: number,
): Promise<FalsePositiveCount[]> {
  return await tx.rows<{ [Key in keyof FalsePositiveCount]: FalsePositiveCount[Key] }>(sql`
    select c.model_id, c.closed, c.false_positives from (
      select i.model_id, count(*)::int as closed,
        count(*) filter (where h.to_value = 'false_positive')::int as false_positives
      from (${closings(tenantId, window)}) h
      join incident i on i.tenant_id = ${tenantId} and i.incident_id = h.object_id where ${IS_CLOSING}
      group by i.model_id
    ) c where c.false_positives > 0 order by c.false_positives desc, c.closed, c.model_id limit ${limit}`);
}
