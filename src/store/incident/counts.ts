import type { IncidentStatus, Severity } from "../../contract/record/kinds.ts";
import type { Tx } from "../engine/database.ts";
import { sql } from "../engine/sql.ts";

export interface IncidentCount {
  status: IncidentStatus;
  severity: Severity;
  count: number;
}

/** How many incidents there are; combinations without any are missing. Reads an index, not the incidents. */
export async function incidentCounts(tx: Tx, tenantId: string): Promise<IncidentCount[]> {
  return await tx.rows<IncidentCount>(sql`
    select status, severity, count(*)::int as count
    from incident where tenant_id = ${tenantId} group by status, severity`);
}
