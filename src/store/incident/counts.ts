import type { IncidentStatus, Severity } from "../../contract/record/kinds.ts";
import type { Tx } from "../engine/database.ts";
import { sql } from "../engine/sql.ts";

export interface IncidentCount {
  status: IncidentStatus;
  severity: Severity;
  count: number;
}

/** Number of incidents by status and severity; combinations without incidents are left out. Index-only. */
export async function incidentCounts(tx: Tx, tenantId: string): Promise<IncidentCount[]> {
  return await tx.rows<IncidentCount>(sql`
    select status, severity, count(*)::int as count
    from incident where tenant_id = ${tenantId} group by status, severity`);
}
