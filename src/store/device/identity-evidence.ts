import { type Activity, SLOT } from "../../domain/device/activity.ts";
import {
  type AddressSighting,
  type AnchorFact,
  FACT_ANCHORS,
  type LeaseSighting,
  type Sighting,
} from "../../domain/device/identity/anchor-sightings.ts";
import type { Standing } from "../../domain/device/identity/same-device.ts";
import type { Tx } from "../engine/database.ts";
import { fromInet } from "../flow/flows.ts";
import { inventoryMatches } from "./inventory-matches.ts";
import { textArray, timestampLiteral } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";
import { sourcesOf } from "../record/vocabulary.ts";

// What the identity job reads of a tenant, in full: tables of devices, not of records.

interface AddressedDevice {
  deviceId: string;
  displayName: string;
  standing: Standing;
  ip: string;
  /** Span of the address, in microseconds. */
  firstSeen: number;
  lastSeen: number;
}

/** Every device with each of its addresses, by device id. */
export async function addressedDevices(tx: Tx, tenantId: string): Promise<AddressedDevice[]> {
  const rows = await tx.rows<{
    device_id: string;
    display_name: string;
    standing: Standing;
    ip: string;
    first_seen: number;
    last_seen: number;
  }>(sql`
    select d.device_id, d.display_name, a.ip, a.first_seen, a.last_seen,
      case when ${CONFIRMED} then 'human_confirmed'
        when d.classification_source = 'inventory' or d.display_name_source = 'inventory' then 'inventory'
        else 'observed' end as standing
    from device d join device_address a on a.tenant_id = d.tenant_id and a.device_id = d.device_id
    where d.tenant_id = ${tenantId} order by d.device_id, a.ip`);
  return rows.map((row) => ({
    deviceId: row.device_id,
    displayName: row.display_name,
    standing: row.standing,
    ip: fromInet(row.ip),
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }));
}

/** Whether a person has edited device `d`. */
const CONFIRMED: Sql = sql`
  (d.classification_source = 'human_confirmed' or d.display_name_source = 'person')`;

/** The leases of devices' addresses. */
export async function leaseSightingsOf(tx: Tx, tenantId: string): Promise<LeaseSighting[]> {
  const rows = await tx.rows<{
    device_id: string;
    mac: string;
    client_id: string | null;
    host_name: string | null;
    vendor_class: string | null;
    source_set: number;
    first_seen: number;
    last_seen: number;
  }>(sql`
    select a.device_id, l.mac, l.client_id, l.host_name, l.vendor_class, l.source_set, l.first_seen, l.last_seen
    from dhcp_lease l join device_address a on a.tenant_id = l.tenant_id and a.ip = l.ip
    where l.tenant_id = ${tenantId} and l.granted_at is not null`);
  return rows.map((row) => ({
    deviceId: row.device_id,
    mac: row.mac,
    clientId: row.client_id,
    hostName: row.host_name,
    vendorClass: row.vendor_class,
    source: sourceOf(row.source_set),
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }));
}

export async function anchorFacts(tx: Tx, tenantId: string): Promise<AnchorFact[]> {
  const rows = await tx.rows<{
    device_id: string;
    kind: AnchorFact["kind"];
    value: string;
    source_set: number;
    first_seen: number;
    last_seen: number;
  }>(sql`
    select device_id, kind, value, source_set, first_seen, last_seen from device_fact
    where tenant_id = ${tenantId} and kind = any(${textArray(Object.keys(FACT_ANCHORS))}::text[])`);
  return rows.map((row) => ({
    deviceId: row.device_id,
    kind: row.kind,
    value: row.value,
    source: sourceOf(row.source_set),
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }));
}

/** The first source if several saw it. */
function sourceOf(set: number): string {
  return sourcesOf(set)[0] ?? "observed";
}

/** The devices' addresses, and whether they were ever leased. */
export async function addressSightingsOf(tx: Tx, tenantId: string): Promise<AddressSighting[]> {
  const rows = await tx.rows<
    { device_id: string; ip: string; first_seen: number; last_seen: number; leased: boolean }
  >(sql`
    select a.device_id, a.ip, a.first_seen, a.last_seen, exists (
      select from dhcp_lease l where l.tenant_id = ${tenantId} and l.ip = a.ip and l.granted_at is not null) as leased
    from device_address a where a.tenant_id = ${tenantId}`);
  return rows.map((row) => ({
    deviceId: row.device_id,
    ip: fromInet(row.ip),
    leased: row.leased,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }));
}

/**
 * The inventory entry of each device, by one of its addresses or the MAC address that one was last leased to.
 * An entry is identified by its name, and by its id as well if the name is not unique.
 */
export async function inventorySightings(tx: Tx, tenantId: string): Promise<Sighting[]> {
  const rows = await tx.rows<{ device_id: string; value: string; read_at: number }>(sql`
    with named as (
      select entry_id, read_at,
        case when count(*) over (partition by name) = 1 then name else name || ' (' || entry_id || ')' end as value
      from inventory_entry where tenant_id = ${tenantId}
    )
    select distinct on (held.device_id) held.device_id, named.value, named.read_at
    from ${inventoryMatches(tenantId)} held join named on named.entry_id = held.entry_id
    order by held.device_id, held.mac is not null, held.ip`);
  return rows.map((row) => ({
    deviceId: row.device_id,
    class: "inventory",
    value: row.value,
    source: "inventory",
    firstSeen: row.read_at,
    lastSeen: row.read_at,
  }));
}

/** Newest flows examined on each side of a device. */
const MAX_FLOWS = 10_000;

/** When a device opened or answered flows, from `from` to `to` (microseconds, inclusive). */
export async function activityOf(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  from: number,
  to: number,
): Promise<Activity> {
  const span = sql`tenant_id = ${tenantId} and start_at >= ${timestampLiteral(from)}::timestamptz
    and start_at <= ${timestampLiteral(to)}::timestamptz`;
  const newest = sql`order by start_at desc limit ${MAX_FLOWS}`;
  const rows = await tx.rows<{ side: number; slot: number; flows: number }>(sql`
    select side, floor(extract(epoch from start_at) * 1000000 / ${SLOT}::bigint)::int as slot, count(*)::int as flows
    from (
      (select 0 as side, start_at from flow where ${span} and src_device_id = ${deviceId}::uuid ${newest})
      union all
      (select 1, start_at from flow where ${span} and dst_device_id = ${deviceId}::uuid
        and (dst_packets > 0 or dst_bytes > 0) ${newest})
    ) f group by 1, 2 order by 2`);
  const since = [0, 1].map((side) => {
    const own = rows.filter((row) => row.side === side);
    const isAll = own.reduce((sum, row) => sum + row.flows, 0) < MAX_FLOWS;
    return isAll ? Math.floor(from / SLOT) : own[0]!.slot + 1;
  });
  return { since: Math.max(...since), slots: [...new Set(rows.map((row) => row.slot))] };
}
