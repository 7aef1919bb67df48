import type { Severity } from "../../contract/record/kinds.ts";
import type {
  IdentityGrade,
  OutcomeStatus,
  ResponseDecision,
  ResponseKind,
  ResponseMode,
  ResponseStatus,
} from "../../contract/review/response.ts";
import type { Tx } from "../engine/database.ts";
import { fromInet } from "../flow/flows.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import { all, sql } from "../engine/sql.ts";

/** Times in microseconds. */
export interface NewAction {
  action_id: string;
  incident_id: string;
  kind: ResponseKind;
  mode: ResponseMode;
  device_id: string | null;
  address: string | null;
  identity: IdentityGrade | null;
  /** The incident's severity. */
  severity: Severity;
  reason: string;
  proposed_by: string;
  proposed_at: number;
}

/** An action with its newest reported outcome. */
export interface ActionRow extends NewAction {
  status: ResponseStatus;
  decided_by: string | null;
  decided_at: number | null;
  approved_at: number | null;
  approved_by: string | null;
  comment: string | null;
  revision: number;
  outcome_status: OutcomeStatus | null;
  outcome_detail: string | null;
  outcome_identity: IdentityGrade | null;
  lease_expires_at: number | null;
  executor_id: string | null;
  reported_at: number | null;
}

/** The target of an action: at most one action of a kind is open for it. */
function targetOf({ device_id, address }: Pick<NewAction, "device_id" | "address">): string {
  return device_id ?? address ?? "";
}

const COLUMNS: Column<NewAction>[] = [
  { name: "action_id", type: "uuid", of: (one) => one.action_id },
  { name: "incident_id", type: "uuid", of: (one) => one.incident_id },
  { name: "kind", type: "text", of: (one) => one.kind },
  { name: "mode", type: "text", of: (one) => one.mode },
  { name: "device_id", type: "uuid", of: (one) => one.device_id },
  { name: "address", type: "text", of: (one) => one.address },
  { name: "identity", type: "text", of: (one) => one.identity },
  { name: "target", type: "text", of: targetOf },
  { name: "severity", type: "text", of: (one) => one.severity },
  { name: "reason", type: "text", of: (one) => one.reason },
  { name: "proposed_by", type: "text", of: (one) => one.proposed_by },
  { name: "proposed_at", type: "timestamptz", of: (one) => one.proposed_at },
];

/**
 * Inserts actions unless their incident has an open one of the same kind and target; returns the inserted
 * ids.
 */
export async function insertActions(
  tx: Tx,
  tenantId: string,
  actions: readonly NewAction[],
): Promise<Set<string>> {
  if (actions.length === 0) return new Set();
  const rows = await tx.rows<{ action_id: string }>(sql`
    ${insertRows("response_action", tenantId, COLUMNS, actions)}
    on conflict do nothing returning action_id`);
  return new Set(rows.map((row) => row.action_id));
}

const SELECT = sql`
  select a.*, o.status as outcome_status, o.detail as outcome_detail, o.identity as outcome_identity,
    o.lease_expires_at, o.executor_id, o.reported_at
  from response_action a left join lateral (
    select * from response_outcome x where x.tenant_id = a.tenant_id and x.action_id = a.action_id
    order by x.outcome_no desc limit 1
  ) o on true`;

/** Where a page ended: time of proposal (microseconds) and id of its last action. */
export interface ActionPosition {
  at: number;
  id: string;
}

/** Newest first; the order never changes. */
export async function listActions(
  tx: Tx,
  tenantId: string,
  filter: { status?: ResponseStatus; incidentId?: string },
  before: ActionPosition | null,
  limit: number,
): Promise<ActionRow[]> {
  const conditions = [sql`a.tenant_id = ${tenantId}`];
  if (before !== null) {
    conditions.push(
      sql`(a.proposed_at, a.action_id) < (${timestampLiteral(before.at)}::timestamptz, ${before.id}::uuid)`,
    );
  }
  if (filter.status !== undefined) conditions.push(sql`a.status = ${filter.status}`);
  if (filter.incidentId !== undefined) conditions.push(sql`a.incident_id = ${filter.incidentId}::uuid`);
  return await tx.rows<ActionRow>(sql`
    ${SELECT} where ${all(conditions)} order by a.proposed_at desc, a.action_id desc limit ${limit}`);
}

export async function actionById(tx: Tx, tenantId: string, actionId: string): Promise<ActionRow | null> {
  const [row] = await tx.rows<ActionRow>(sql`
    ${SELECT} where a.tenant_id = ${tenantId} and a.action_id = ${actionId}::uuid`);
  return row ?? null;
}

/** The open action of a kind and target on an incident, or null. */
export async function openAction(
  tx: Tx,
  tenantId: string,
  wanted: Pick<NewAction, "incident_id" | "kind" | "device_id" | "address">,
): Promise<ActionRow | null> {
  const [row] = await tx.rows<ActionRow>(sql`
    ${SELECT} where a.tenant_id = ${tenantId} and a.incident_id = ${wanted.incident_id}::uuid
      and a.kind = ${wanted.kind} and a.target = ${
    targetOf(wanted)
  } and a.status in ('proposed', 'approved')`);
  return row ?? null;
}

/** Saves a decision if the revision still matches; false otherwise. */
export async function decideAction(
  tx: Tx,
  tenantId: string,
  actionId: string,
  revision: number,
  decided: {
    status: ResponseDecision;
    by: string;
    at: number;
    comment: string | null;
    /** The incident's current severity. */
    severity: Severity;
  },
): Promise<boolean> {
  const at = sql`${timestampLiteral(decided.at)}::timestamptz`;
  const approved = decided.status === "approved";
  const changed = await tx.run(sql`
    update response_action set status = ${decided.status}, decided_by = ${decided.by}, decided_at = ${at},
      approved_at = ${approved ? at : sql`approved_at`},
      approved_by = ${approved ? sql`${decided.by}` : sql`approved_by`}, comment = ${decided.comment},
      severity = ${decided.severity}, revision = revision + 1
    where tenant_id = ${tenantId} and action_id = ${actionId}::uuid and revision = ${revision}`);
  return changed === 1;
}

/** The earlier actions of some incidents, for automatic mode. */
export async function earlierActions(
  tx: Tx,
  tenantId: string,
  incidentIds: readonly string[],
): Promise<Pick<ActionRow, "incident_id" | "kind" | "device_id" | "status" | "severity">[]> {
  if (incidentIds.length === 0) return [];
  return await tx.rows(sql`
    select incident_id, kind, device_id, status, severity from response_action
    where tenant_id = ${tenantId} and incident_id = any(${plainArray(incidentIds)}::uuid[])`);
}

/** The latest address of each device, including those of devices merged into it. */
export async function latestAddresses(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<Map<string, string>> {
  if (deviceIds.length === 0) return new Map();
  const ids = plainArray(deviceIds);
  const rows = await tx.rows<{ device_id: string; ip: string }>(sql`
    select distinct on (device_id) device_id, host(ip) as ip from (
      select device_id, ip, last_seen from device_address
      where tenant_id = ${tenantId} and device_id = any(${ids}::uuid[])
      union all
      select d.merged_into, a.ip, a.last_seen
      from device d join device_address a on a.tenant_id = d.tenant_id and a.device_id = d.device_id
      where d.tenant_id = ${tenantId} and d.merged_into = any(${ids}::uuid[])
    ) held order by device_id, last_seen desc, ip`);
  return new Map(rows.map((row) => [row.device_id, fromInet(row.ip)]));
}

/** Whether a result of an incident has the address among its destinations. */
export async function namesDestination(
  tx: Tx,
  tenantId: string,
  incidentId: string,
  address: string,
): Promise<boolean> {
  const [row] = await tx.rows<{ named: boolean }>(sql`
    select exists (
      select from model_result r cross join lateral jsonb_array_elements(r.body -> 'destinations') d
      where r.tenant_id = ${tenantId} and r.incident_id = ${incidentId}::uuid and d ->> 'ip' = ${address}
    ) as named`);
  return row!.named;
}
