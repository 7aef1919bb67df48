import type { AuditEntry } from "../../contract/session/audit.ts";
import {
  auditEntry,
  type AuditFilter,
  type AuditRow,
  listAudit,
  listOutsideAudit,
} from "../../store/session/audit.ts";
import type { Database } from "../../store/engine/database.ts";
import { listTenants } from "../../store/engine/tenants.ts";
import { DatabaseInputError } from "../existing-database.ts";

/** An entry with its tenant; null for a sign-in without access. */
export type FoundEntry = { tenant_id: string | null } & Omit<AuditEntry, "target_name">;

/** The newest matching entries, oldest first; of one tenant, or of all tenants and of none. */
export async function readAudit(
  db: Database,
  tenantId: string | null,
  filter: AuditFilter,
  limit: number,
): Promise<FoundEntry[]> {
  const known = await listTenants(db);
  if (tenantId !== null && !known.includes(tenantId)) {
    throw new DatabaseInputError(`there is no tenant ${tenantId}; there are: ${known.join(", ") || "none"}`);
  }
  const found: { tenantId: string | null; row: AuditRow }[] = [];
  for (const id of tenantId === null ? known : [tenantId]) {
    const rows = await db.tenant(id, (tx) => listAudit(tx, id, filter, null, limit));
    found.push(...rows.map((row) => ({ tenantId: id, row })));
  }
  if (tenantId === null) {
    const rows = await db.shared((tx) => listOutsideAudit(tx, filter, limit));
    found.push(...rows.map((row) => ({ tenantId: null, row })));
  }
  // Compares full times, because milliseconds may be equal.
  found.sort((a, b) => a.row.at - b.row.at || (a.row.audit_id < b.row.audit_id ? -1 : 1));
  return found.slice(-limit).map(({ tenantId: tenant_id, row }) => ({ tenant_id, ...auditEntry(row) }));
}
