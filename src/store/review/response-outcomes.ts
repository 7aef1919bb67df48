import type { IdentityGrade, OutcomeStatus } from "../../contract/review/response.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

/** Times in microseconds. */
export interface OutcomeRow {
  report_key: string;
  /** Hash of the report's content. */
  report_hash: string;
  executor_id: string;
  status: OutcomeStatus;
  identity: IdentityGrade | null;
  detail: string | null;
  lease_expires_at: number | null;
  reported_at: number;
  /** Null for outcomes that emit no event. */
  event_id: string | null;
}

/**
 * Locks an action until the transaction ends, so that concurrent reports are serialised; false if there is no
 * such action.
 */
export async function lockAction(tx: Tx, tenantId: string, actionId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    select 1 from response_action where tenant_id = ${tenantId} and action_id = ${actionId}::uuid for update`);
  return rows.length === 1;
}

/** The report with this key, if any, and the number of reports of the action. */
export async function outcomeByKey(
  tx: Tx,
  tenantId: string,
  actionId: string,
  key: string,
): Promise<{ known: OutcomeRow | null; count: number }> {
  const [known] = await tx.rows<OutcomeRow>(sql`
    select * from response_outcome
    where tenant_id = ${tenantId} and action_id = ${actionId}::uuid and report_key = ${key}`);
  const [last] = await tx.rows<{ count: number }>(sql`
    select coalesce(max(outcome_no), 0) as count from response_outcome
    where tenant_id = ${tenantId} and action_id = ${actionId}::uuid`);
  return { known: known ?? null, count: last!.count };
}

/** Adds a report to a locked action with `count` reports; returns the action's new revision. */
export async function addOutcome(
  tx: Tx,
  tenantId: string,
  actionId: string,
  count: number,
  row: OutcomeRow,
): Promise<number> {
  const lease = row.lease_expires_at === null ? null : timestampLiteral(row.lease_expires_at);
  await tx.run(sql`
    insert into response_outcome (tenant_id, action_id, outcome_no, report_key, report_hash, executor_id, status,
      identity, detail, lease_expires_at, reported_at, event_id)
    values (${tenantId}, ${actionId}::uuid, ${
    count + 1
  }, ${row.report_key}, ${row.report_hash}, ${row.executor_id},
      ${row.status}, ${row.identity}, ${row.detail}, ${lease}::timestamptz,
      ${timestampLiteral(row.reported_at)}::timestamptz, ${row.event_id})`);
  const [action] = await tx.rows<{ revision: number }>(sql`
    update response_action set revision = revision + 1
    where tenant_id = ${tenantId} and action_id = ${actionId}::uuid returning revision`);
  return action!.revision;
}
