import type { Tx } from "../engine/database.ts";
import { plainArray } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";

interface AuditTarget {
  target_type: string | null;
  target_id: string | null;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** By type of target: the id and the name of the objects with these ids. */
const NAMES: Readonly<Record<string, (tenantId: string, ids: Sql) => Sql>> = {
  device: (tenantId, ids) =>
    sql`select device_id as id, display_name as name from device
    where tenant_id = ${tenantId} and device_id = any(${ids})`,
  incident: (tenantId, ids) =>
    sql`select incident_id as id, title as name from incident
    where tenant_id = ${tenantId} and incident_id = any(${ids})`,
  suppression: (tenantId, ids) =>
    sql`select suppression_id as id, reason as name from suppression
    where tenant_id = ${tenantId} and suppression_id = any(${ids})`,
  proposal: (tenantId, ids) =>
    sql`select proposal_id as id, reason as name from proposal
    where tenant_id = ${tenantId} and proposal_id = any(${ids})`,
  // What an action acts on: the device, or else the address; without a target, its incident.
  response_action: (tenantId, ids) =>
    sql`select a.action_id as id, coalesce(d.display_name, a.address, i.title) as name
    from response_action a
      left join device d on d.tenant_id = a.tenant_id and d.device_id = a.device_id
      left join incident i on i.tenant_id = a.tenant_id and i.incident_id = a.incident_id
    where a.tenant_id = ${tenantId} and a.action_id = any(${ids})`,
};

/** Names of the targets by their id; those that have none, or no longer exist, are left out. */
export async function targetNames(
  tx: Tx,
  tenantId: string,
  targets: readonly AuditTarget[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const [type, select] of Object.entries(NAMES)) {
    const ids = targets.flatMap(({ target_type, target_id }) =>
      // A refused request may name anything.
      target_type === type && target_id !== null && UUID.test(target_id) ? [target_id.toLowerCase()] : []
    );
    if (ids.length === 0) continue;
    const rows = await tx.rows<{ id: string; name: string | null }>(
      select(tenantId, sql`${plainArray([...new Set(ids)])}::uuid[]`),
    );
    for (const { id, name } of rows) if (name !== null) names.set(id, name);
  }
  return names;
}
