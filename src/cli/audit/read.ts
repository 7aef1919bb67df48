import type { AnswerOf, QueryOf } from "../../contract/request/client.ts";
import type { AuditEntry } from "../../contract/session/audit.ts";
import { formatMicros } from "../../kit/time.ts";
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
import { coreApi } from "../search/core-api.ts";
import type { SearchInstallation } from "../search/installation.ts";

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
  requireTenant(tenantId, known);
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

/** Entries of one request; the API allows 500. */
const PAGE = 500;

/**
 * As `readAudit`, from the running core, which has no entries outside of all tenants.
 *
 * @throws DatabaseInputError for an unknown tenant; Refused, CoreUnreachable
 */
export async function askAudit(
  installation: SearchInstallation,
  tenantId: string | null,
  { window, targetId: target_id, ...filter }: AuditFilter,
  limit: number,
): Promise<FoundEntry[]> {
  const known = installation.tenantIds;
  requireTenant(tenantId, known);
  const query: QueryOf<"listAudit"> = {
    ...filter,
    target_id,
    from: formatMicros(window.from),
    to: formatMicros(window.to),
  };
  const found: FoundEntry[] = [];
  for (const id of tenantId === null ? known : [tenantId]) {
    const call = coreApi(installation, id, { subject: "ndr audit", role: "admin" });
    let left = limit;
    let cursor: string | null = null;
    do {
      const page: AnswerOf<"listAudit"> = await call("listAudit", {
        query: { ...query, cursor, limit: Math.min(PAGE, left) },
      });
      for (const { target_name: _, ...entry } of page.data) found.push({ tenant_id: id, ...entry });
      left -= page.data.length;
      cursor = page.next_cursor;
    } while (cursor !== null && left > 0);
  }
  found.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.audit_id < b.audit_id ? -1 : 1));
  return found.slice(-limit);
}

function requireTenant(tenantId: string | null, known: readonly string[]): void {
  if (tenantId === null || known.includes(tenantId)) return;
  throw new DatabaseInputError(`there is no tenant ${tenantId}; there are: ${known.join(", ") || "none"}`);
}
