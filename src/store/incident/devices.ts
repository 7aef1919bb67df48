import type { Tx } from "../engine/database.ts";
import { plainArray } from "../engine/literals.ts";
import { type Column, relation } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

/** Number of newest incidents examined, and links of each. */
const MAX_INCIDENTS = 200;
const MAX_LINKS = 50;

interface IncidentFlow {
  incidentId: string;
  flowId: string;
}

/** The flows behind the newest incidents that name one of these devices. */
export async function incidentFlowsOf(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<IncidentFlow[]> {
  const rows = await tx.rows<{ incident_id: string; flow_id: string }>(sql`
    select distinct i.incident_id, e.flow_id
    from (
      select distinct incident_id from incident_device
      where tenant_id = ${tenantId} and device_id = any(${plainArray(deviceIds)}::uuid[])
      order by incident_id desc limit ${MAX_INCIDENTS}
    ) i cross join lateral (
      select flow_id from incident_evidence
      where tenant_id = ${tenantId} and incident_id = i.incident_id
      order by observed_at desc, evidence_id desc limit ${MAX_LINKS}
    ) e`);
  return rows.map((row) => ({ incidentId: row.incident_id, flowId: row.flow_id }));
}

interface IncidentDevice {
  incidentId: string;
  deviceId: string;
}

const NAMED: Column<IncidentDevice>[] = [
  { name: "incident_id", type: "uuid", of: (row) => row.incidentId },
  { name: "device_id", type: "uuid", of: (row) => row.deviceId },
];

/** Appends devices to the device lists of incidents. */
export async function nameInIncidents(
  tx: Tx,
  tenantId: string,
  named: readonly IncidentDevice[],
): Promise<void> {
  if (named.length === 0) return;
  await tx.run(sql`
    insert into incident_device (tenant_id, incident_id, device_id, ordinal)
    select ${tenantId}, u.incident_id, u.device_id,
      (select max(ordinal) from incident_device x where x.tenant_id = ${tenantId} and x.incident_id = u.incident_id)
        + row_number() over (partition by u.incident_id order by u.device_id)
    from ${relation(NAMED, named)}
    on conflict do nothing`);
}
