import type { Severity } from "../../contract/record/kinds.ts";
import type { GraphDevice, GraphIncident } from "../../domain/graph/input.ts";
import type { Micros } from "../../domain/record/observation.ts";
import type { RelatedMatches } from "../../domain/graph/pair-filter.ts";
import type { SearchContext } from "../../domain/search/criterion.ts";
import { type Part, type SomeOf, visitPart } from "../../domain/search/parts.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";
import { fromInet } from "../flow/flows.ts";
import { holdsAt } from "../review/suppressions.ts";
import { devicesWith } from "../search/device-conditions.ts";
import { incidentsWith } from "../search/incident-conditions.ts";

/** With the highest scores; campaign incidents keep the open ones far fewer. */
const MAX_INCIDENTS = 2000;
/** Of all these incidents together, in their order. */
const MAX_PAIRS = 40_000;

/** Differs when a person or a job has changed a device; the pipeline's changes come with a batch. */
export async function devicesVersion(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.rows<{ devices: number }>(
    sql`select devices from list_change where tenant_id = ${tenantId}`,
  );
  return row?.devices ?? 0;
}

/**
 * The device at each address, merged ones as their survivors.
 *
 * @param seenAfter Only devices that a later batch has records of, with all their addresses; null for all devices.
 */
export async function devicesOfAddresses(
  tx: Tx,
  tenantId: string,
  seenAfter: number | null = null,
): Promise<Map<string, GraphDevice>> {
  const members = seenAfter === null ? null : await membersSeenAfter(tx, tenantId, seenAfter);
  if (members?.length === 0) return new Map();
  const isMember = (id: Sql) =>
    members === null ? sql`` : sql`and ${id} = any(${plainArray(members)}::uuid[])`;
  const vlans = await tx.rows<{ device_id: string; vlan_id: number }>(sql`
    select distinct on (shown.device_id) shown.device_id, v.vlan_id
    from device_vlan v join lateral (
      select coalesce(merged_into, device_id) as device_id from device
      where tenant_id = ${tenantId} and device_id = v.device_id limit 1
    ) shown on true
    where v.tenant_id = ${tenantId} ${isMember(sql`v.device_id`)}
    order by shown.device_id, v.source desc, v.vlan_id`);
  const vlanOf = new Map(vlans.map((row) => [row.device_id, row.vlan_id]));
  const rows = await tx.rows<{ ip: string; device_id: string; display_name: string; device_type: string }>(
    sql`
    select a.ip, s.device_id, s.display_name, s.device_type
    from device_address a
    join device d on d.tenant_id = ${tenantId} and d.device_id = a.device_id
    join device s on s.tenant_id = ${tenantId} and s.device_id = coalesce(d.merged_into, d.device_id)
    where a.tenant_id = ${tenantId} ${isMember(sql`a.device_id`)}
    order by a.last_seen desc, a.ip`,
  );
  const devices = new Map<string, GraphDevice>();
  const byAddress = new Map<string, GraphDevice>();
  for (const row of rows) {
    const ip = fromInet(row.ip);
    let device = devices.get(row.device_id);
    if (device === undefined) {
      device = {
        deviceId: row.device_id,
        name: row.display_name,
        type: row.device_type,
        vlanId: vlanOf.get(row.device_id) ?? null,
        // The rows are in the order of their last use.
        ip,
      };
      devices.set(row.device_id, device);
    }
    byAddress.set(ip, device);
  }
  return byAddress;
}

/** The devices that a later batch has records of, and those that are one with them. */
async function membersSeenAfter(tx: Tx, tenantId: string, batchNo: number): Promise<string[]> {
  const rows = await tx.rows<{ device_id: string }>(sql`
    with seen as (
      select coalesce(merged_into, device_id) as device_id from device
      where tenant_id = ${tenantId} and seen_batch > ${String(batchNo)}::bigint
    )
    select device_id from seen
    union
    select d.device_id from seen join device d on d.tenant_id = ${tenantId} and d.merged_into = seen.device_id`);
  return rows.map((row) => row.device_id);
}

/**
 * Open incidents that no suppression covers at `now`, the highest scores first, with their devices and the ends of
 * their evidence.
 */
export async function openIncidentsOf(tx: Tx, tenantId: string, now: Micros): Promise<GraphIncident[]> {
  return await incidentsOf(tx, tenantId, isOpen(tenantId, now));
}

function isOpen(tenantId: string, now: Micros): Sql {
  return sql`i.status in ('open', 'investigating')
    and not exists (select from suppression s where s.tenant_id = ${tenantId}
      and s.suppression_id = i.suppressed_by and ${holdsAt(now)})`;
}

/**
 * What meets a group of conditions: devices as shown, or the ends of the evidence of incidents. Only open incidents
 * count, as for the colours of the map, unless the group names incidents or their status.
 */
export async function relatedTo(
  tx: Tx,
  tenantId: string,
  { some, where }: SomeOf,
  context: SearchContext,
): Promise<RelatedMatches> {
  const none = { devices: new Set<string>(), pairs: new Set<string>() };
  if (some === "device") {
    const rows = await tx.rows<{ device_id: string }>(devicesWith(tenantId, where, context));
    return { ...none, devices: new Set(rows.map((row) => row.device_id)) };
  }
  const met = sql`i.incident_id in (${incidentsWith(tenantId, where, context)})`;
  const incidents = await incidentsOf(
    tx,
    tenantId,
    namesStanding(where) ? met : sql`${met} and ${isOpen(tenantId, context.now)}`,
  );
  const pairs = incidents.flatMap((incident) => incident.pairs).map(([a, b]) =>
    a <= b ? `${a} ${b}` : `${b} ${a}`
  );
  return { ...none, pairs: new Set(pairs) };
}

function namesStanding(part: Part): boolean {
  return visitPart<boolean>(part, {
    all: (parts) => parts.some(namesStanding),
    any: (parts) => parts.some(namesStanding),
    not: namesStanding,
    some: ({ where }) => namesStanding(where),
    comparison: ({ field }) => field === "status" || field === "incident",
  });
}

async function incidentsOf(tx: Tx, tenantId: string, condition: Sql): Promise<GraphIncident[]> {
  const rows = await tx.rows<{ incident_id: string; severity: Severity; device_ids: string[] }>(sql`
    select i.incident_id, i.severity,
      array(select distinct coalesce(d.merged_into, d.device_id)::text from incident_device x
        join device d on d.tenant_id = ${tenantId} and d.device_id = x.device_id
        where x.tenant_id = ${tenantId} and x.incident_id = i.incident_id order by 1) as device_ids
    from incident i
    where i.tenant_id = ${tenantId} and ${condition}
    order by i.score desc, i.incident_no limit ${MAX_INCIDENTS}`);
  const pairs = await pairsOf(tx, tenantId, rows.map((row) => row.incident_id));
  return rows.map(({ incident_id, severity, device_ids }) => ({
    incidentId: incident_id,
    severity,
    deviceIds: device_ids,
    pairs: pairs.get(incident_id) ?? [],
  }));
}

/** The ends of the evidence of incidents, those of the first incidents if they are too many. */
async function pairsOf(
  tx: Tx,
  tenantId: string,
  incidentIds: readonly string[],
): Promise<Map<string, [string, string][]>> {
  if (incidentIds.length === 0) return new Map();
  // The inner limit forces a lookup for each incident in turn; the outer one then ends them.
  const rows = await tx.rows<{ incident_id: string; low: string; high: string }>(sql`
    select u.incident_id, p.low, p.high from unnest(${plainArray(incidentIds)}::uuid[]) as u (incident_id)
    cross join lateral (
      select low, high from incident_pair
      where tenant_id = ${tenantId} and incident_id = u.incident_id
      order by low, high limit ${MAX_PAIRS}
    ) p limit ${MAX_PAIRS}`);
  const byIncident = Map.groupBy(rows, (row) => row.incident_id);
  return new Map([...byIncident].map(([incidentId, pairs]) => [
    incidentId,
    pairs.map(({ low, high }): [string, string] => [fromInet(low), fromInet(high)]),
  ]));
}
