import type { SuppressionStatus } from "../../contract/review/suppression.ts";
import {
  type CompiledPattern,
  compilePattern,
  isDeviceId,
  type SuppressionPattern,
} from "../../domain/incident/suppression.ts";
import type { Tx } from "../engine/database.ts";
import { deviceGroup } from "../device/group.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { all, type Sql, sql } from "../engine/sql.ts";

/** Times in microseconds. */
export interface SuppressionRow extends SuppressionPattern {
  suppression_id: string;
  reason: string;
  created_by: string;
  created_at: number;
  expires_at: number;
  revoked_by: string | null;
  revoked_at: number | null;
  revoked_reason: string | null;
  revision: number;
}

/** An active suppression, compiled for matching. */
export interface ActiveSuppression {
  suppressionId: string;
  pattern: CompiledPattern;
  reason: string;
  /** Microseconds. */
  expiresAt: number;
}

/** Maximum number of active suppressions of a tenant: each is matched against each result. */
export const MAX_ACTIVE = 500;

/** A tenant's suppressions that are active at `now` (microseconds). */
export async function activeSuppressions(
  tx: Tx,
  tenantId: string,
  now: number,
): Promise<ActiveSuppression[]> {
  const rows = await tx.rows<SuppressionRow>(sql`
    select * from suppression s where s.tenant_id = ${tenantId} and ${holdsAt(now)} order by suppression_id`);
  const active: ActiveSuppression[] = [];
  for (const row of rows) active.push(await readyToMatch(tx, tenantId, row));
  return active;
}

export async function readyToMatch(
  tx: Tx,
  tenantId: string,
  row: SuppressionRow,
): Promise<ActiveSuppression> {
  const { source } = row;
  const sameDevice = source !== null && isDeviceId(source) ? await deviceGroup(tx, tenantId, source) : [];
  return {
    suppressionId: row.suppression_id,
    pattern: compilePattern(patternOf(row), sameDevice),
    reason: row.reason,
    expiresAt: row.expires_at,
  };
}

export function patternOf({ source, destination, port, detector }: SuppressionRow): SuppressionPattern {
  return { source, destination, port, detector };
}

/** Whether the suppression `s` is active at `now`. */
export function holdsAt(now: number): Sql {
  return sql`(s.revoked_at is null and s.expires_at > ${timestampLiteral(now)}::timestamptz)`;
}

export function suppressionStatus(row: SuppressionRow, now: number): SuppressionStatus {
  if (row.revoked_at !== null) return "revoked";
  return row.expires_at > now ? "active" : "expired";
}

export async function insertSuppression(
  tx: Tx,
  tenantId: string,
  row: Pick<SuppressionRow, "suppression_id" | "reason" | "created_by" | "created_at" | "expires_at">,
  { source, destination, port, detector }: SuppressionPattern,
): Promise<void> {
  await tx.run(sql`
    insert into suppression
      (tenant_id, suppression_id, source, destination, port, detector, reason, created_by, created_at, expires_at)
    values (${tenantId}, ${row.suppression_id}::uuid, ${source}, ${destination}, ${port}::integer, ${detector},
      ${row.reason}, ${row.created_by}, ${timestampLiteral(row.created_at)}::timestamptz,
      ${timestampLiteral(row.expires_at)}::timestamptz)`);
}

/** Revokes a suppression if the revision still matches; false otherwise. */
export async function revokeSuppression(
  tx: Tx,
  tenantId: string,
  suppressionId: string,
  revision: number,
  revoked: { by: string; at: number; reason: string },
): Promise<boolean> {
  const changed = await tx.run(sql`
    update suppression set revoked_by = ${revoked.by}, revoked_at = ${
    timestampLiteral(revoked.at)
  }::timestamptz,
      revoked_reason = ${revoked.reason}, revision = revision + 1, lifted = true
    where tenant_id = ${tenantId} and suppression_id = ${suppressionId}::uuid and revision = ${revision}`);
  return changed === 1;
}

/** Newest first. */
export async function listSuppressions(
  tx: Tx,
  tenantId: string,
  filter: { status?: SuppressionStatus; now: number },
  before: string | null,
  limit: number,
): Promise<SuppressionRow[]> {
  const conditions = [sql`s.tenant_id = ${tenantId}`];
  if (before !== null) conditions.push(sql`s.suppression_id < ${before}::uuid`);
  if (filter.status === "active") conditions.push(holdsAt(filter.now));
  if (filter.status === "revoked") conditions.push(sql`s.revoked_at is not null`);
  if (filter.status === "expired") {
    conditions.push(sql`s.revoked_at is null and not ${holdsAt(filter.now)}`);
  }
  return await tx.rows<SuppressionRow>(sql`
    select s.* from suppression s where ${all(conditions)} order by s.suppression_id desc limit ${limit}`);
}

/** The suppressions with these ids; missing ones are left out. */
export async function suppressionsByIds(
  tx: Tx,
  tenantId: string,
  ids: Iterable<string>,
): Promise<Map<string, SuppressionRow>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await tx.rows<SuppressionRow>(sql`
    select s.* from suppression s
    where s.tenant_id = ${tenantId} and s.suppression_id = any(${plainArray(wanted)}::uuid[])`);
  return new Map(rows.map((row) => [row.suppression_id, row]));
}

interface HeldBack {
  results: number;
  incidents: number;
}

/** How much each of the suppressions has held back; those that held back nothing are left out. */
export async function heldBackBy(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, HeldBack>> {
  const rows = await tx.rows<HeldBack & { suppression_id: string }>(sql`
    select suppression_id, sum(results)::int as results, sum(incidents)::int as incidents from (
      select suppressed_by as suppression_id, count(*) as results, 0 as incidents from model_result
      where tenant_id = ${tenantId} and suppressed_by = any(${plainArray(ids)}::uuid[]) group by 1
      union all
      select suppressed_by, 0, count(*) from incident
      where tenant_id = ${tenantId} and suppressed_by = any(${plainArray(ids)}::uuid[]) group by 1
    ) held group by 1`);
  return new Map(rows.map(({ suppression_id: id, results, incidents }) => [id, { results, incidents }]));
}
