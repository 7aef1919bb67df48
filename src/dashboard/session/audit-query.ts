import type { QueryOf } from "../../contract/request/client.ts";
import { list } from "../base/queries.ts";
import type { Range } from "../base/time/range.ts";

export type AuditFilter = Pick<QueryOf<"listAudit">, "subject" | "operation" | "target_id" | "outcome">;

export const auditList = (tenant: string, filter: AuditFilter, range: Range) =>
  list(tenant, "listAudit", filter, range);
