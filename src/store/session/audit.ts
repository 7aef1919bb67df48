import type { AuditChange, AuditEntry, AuditOutcome } from "../../contract/session/audit.ts";
import type { Role } from "../../contract/record/kinds.ts";
import { timeUuid } from "../../kit/id.ts";
import { formatMillis } from "../../kit/time.ts";
import type { Database, Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { all, type Sql, sql } from "../engine/sql.ts";

/** An action that was done or refused; `at` in microseconds. */
export interface AuditRecord {
  at: number;
  operation: string;
  outcome: AuditOutcome;
  status: number | null;
  errorCode: string | null;
  reason: string | null;
  subject: string | null;
  displayName: string | null;
  roles: readonly Role[];
  /** `device`, `incident`, … */
  targetType: string | null;
  targetId: string | null;
  changes: readonly AuditChange[];
  clientAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
  sessionId: string | null;
}

export interface AuditRow {
  audit_id: string;
  at: number;
  operation: string;
  outcome: AuditOutcome;
  status: number | null;
  error_code: string | null;
  reason: string | null;
  subject: string | null;
  display_name: string | null;
  /** Joined by commas. */
  roles: string;
  target_type: string | null;
  target_id: string | null;
  /** JSON. */
  changes: string;
  client_address: string | null;
  user_agent: string | null;
  request_id: string | null;
  session_id: string | null;
}

export interface AuditFilter {
  /** Half-open, microseconds. */
  window: { from: number; to: number };
  subject?: string;
  operation?: string;
  targetId?: string;
  outcome?: AuditOutcome;
}

/** Where a page ended. */
export interface AuditPosition {
  at: number;
  id: string;
}

const COLUMNS =
  sql`audit_id, at, operation, outcome, status, error_code, reason, subject, display_name, roles,
  target_type, target_id, changes, client_address, user_agent, request_id, session_id`;

/** Adds a row, in the transaction of the audited action. */
export async function addAudit(tx: Tx, tenantId: string, record: AuditRecord): Promise<void> {
  await tx.run(sql`insert into audit (tenant_id, ${COLUMNS}) values (${tenantId}, ${valuesOf(record)})`);
}

/** Adds a row outside of all tenants. */
export async function addOutsideAudit(tx: Tx, record: AuditRecord): Promise<void> {
  await tx.run(sql`insert into audit_outside (${COLUMNS}) values (${valuesOf(record)})`);
}

/**
 * Adds a row to each of the granted tenants, with the roles there, or one outside if there are none. For
 * transactions on global tables (sessions), whose changes concern every tenant of the session. The
 * transaction sees no tenant's rows before and after.
 */
export async function addAuditOfGrants(
  tx: Tx,
  grants: readonly { tenant_id: string; roles: readonly Role[] }[],
  record: Omit<AuditRecord, "roles">,
): Promise<void> {
  if (grants.length === 0) return await addOutsideAudit(tx, { ...record, roles: [] });
  for (const { tenant_id: tenantId, roles } of grants) {
    await tx.rows(sql`select set_config('ndr.tenant', ${tenantId}, true)`);
    await addAudit(tx, tenantId, { ...record, roles });
  }
  await tx.rows(sql`select set_config('ndr.tenant', '', true)`);
}

function valuesOf(record: AuditRecord): Sql {
  const id = timeUuid(record.at, crypto.getRandomValues(new Uint8Array(10)));
  return sql`${id}::uuid, ${timestampLiteral(record.at)}::timestamptz, ${record.operation}, ${record.outcome},
    ${record.status}::smallint, ${record.errorCode}, ${record.reason}, ${record.subject}, ${record.displayName},
    ${record.roles.join(",")}, ${record.targetType}, ${record.targetId}, ${
    JSON.stringify(record.changes)
  }, ${record.clientAddress},
    ${record.userAgent}, ${record.requestId}, ${record.sessionId}`;
}

/** A tenant's rows, newest first. */
export async function listAudit(
  tx: Tx,
  tenantId: string,
  filter: AuditFilter,
  before: AuditPosition | null,
  limit: number,
): Promise<AuditRow[]> {
  const conditions = [sql`tenant_id = ${tenantId}`, ...conditionsOf(filter, before)];
  return await tx.rows<AuditRow>(sql`
    select ${COLUMNS} from audit where ${all(conditions)} order by at desc, audit_id desc limit ${limit}`);
}

/** The rows outside of all tenants, newest first. */
export async function listOutsideAudit(tx: Tx, filter: AuditFilter, limit: number): Promise<AuditRow[]> {
  return await tx.rows<AuditRow>(sql`
    select ${COLUMNS} from audit_outside where ${all(conditionsOf(filter, null))}
    order by at desc, audit_id desc limit ${limit}`);
}

function conditionsOf(filter: AuditFilter, before: AuditPosition | null): Sql[] {
  const { window: { from, to }, subject, operation, targetId, outcome } = filter;
  const conditions = [
    sql`at >= ${timestampLiteral(from)}::timestamptz`,
    sql`at < ${timestampLiteral(to)}::timestamptz`,
  ];
  if (before !== null) {
    const at = timestampLiteral(before.at);
    // Not a row comparison: the first condition is the one that uses the index.
    conditions.push(
      sql`at <= ${at}::timestamptz`,
      sql`(at < ${at}::timestamptz or audit_id < ${before.id}::uuid)`,
    );
  }
  if (subject !== undefined) conditions.push(sql`subject = ${subject}`);
  if (operation !== undefined) conditions.push(sql`operation = ${operation}`);
  if (targetId !== undefined) conditions.push(sql`target_id = ${targetId}`);
  if (outcome !== undefined) conditions.push(sql`outcome = ${outcome}`);
  return conditions;
}

/** A row as shown by the API, but for the name of its target. */
export function auditEntry(row: AuditRow): Omit<AuditEntry, "target_name"> {
  return {
    ...row,
    at: formatMillis(row.at),
    roles: row.roles === "" ? [] : row.roles.split(",") as Role[],
    changes: JSON.parse(row.changes) as AuditChange[],
  };
}

/** Days during which rows cannot be deleted; the table's trigger enforces it. */
export const AUDIT_FLOOR_DAYS = 90;

/** Deletes rows before `cutoff` (microseconds), as the owner, who alone may. Returns how many. */
export async function expireAudit(
  db: Database,
  tenantIds: readonly string[],
  cutoff: number,
): Promise<number> {
  const before = timestampLiteral(cutoff);
  let removed = 0;
  for (const tenantId of tenantIds) {
    removed += await db.owner(async (tx) => {
      // The table's policy applies to its owner, too.
      await tx.rows(sql`select set_config('ndr.tenant', ${tenantId}, true)`);
      return await tx.run(
        sql`delete from audit where tenant_id = ${tenantId} and at < ${before}::timestamptz`,
      );
    });
  }
  return removed +
    await db.owner((tx) => tx.run(sql`delete from audit_outside where at < ${before}::timestamptz`));
}
