import type { AuditEntry } from "../../contract/session/audit.ts";
import { list } from "../base/queries.ts";
import type { Range } from "../base/time/range.ts";

export interface AuditFilter {
  subject?: string;
  operation?: string;
  target_id?: string;
  outcome?: string;
}
export const auditList = (tenant: string, filter: AuditFilter, range: Range) =>
  list<AuditEntry>(tenant, "/api/v1/audit", { ...filter }, range);
