import {
  type AuditRecord,
  type AuditRow,
  listAudit,
  listOutsideAudit,
} from "../../../src/store/session/audit.ts";
import type { Database } from "../../../src/store/engine/database.ts";

/** Not a tenant: rows that belong to none. */
export const NOBODY = null;
const ALWAYS = { from: 0, to: 4_102_444_800_000_000 };

/** All entries of a tenant, newest first. */
export async function entriesOf(
  db: Database,
  tenantId: string | null,
  filter: { operation?: string; subject?: string } = {},
): Promise<AuditRow[]> {
  const wanted = { ...filter, window: ALWAYS };
  return tenantId === null
    ? await db.shared((tx) => listOutsideAudit(tx, wanted, 1000))
    : await db.tenant(tenantId, (tx) => listAudit(tx, tenantId, wanted, null, 1000));
}

export function auditRow(record: Partial<AuditRecord> & { at: number }): AuditRecord {
  return {
    operation: "patchDevice",
    outcome: "done",
    status: 200,
    errorCode: null,
    reason: null,
    subject: "ada",
    displayName: "Ada",
    roles: ["analyst"],
    targetType: null,
    targetId: null,
    changes: [],
    clientAddress: null,
    userAgent: null,
    requestId: "0190b2c3-0000-7000-8000-000000000009",
    sessionId: null,
    ...record,
  };
}
