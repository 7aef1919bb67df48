import type { Tx } from "../engine/database.ts";
import { fromInet } from "../flow/flows.ts";
import { plainArray } from "../engine/literals.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import { type Sql, sql } from "../engine/sql.ts";

/** An internal address and the device that holds it. */
export interface DeviceAddress {
  ip: string;
  deviceId: string;
  /** Span in which this batch saw it, microseconds. */
  firstSeen: number;
  lastSeen: number;
}

export interface KnownDevice {
  deviceId: string;
  /** The device itself, or the one it was merged into. */
  survivorId: string;
  /**
   * The survivor's name from a person or the inventory, else its first address; observed names are not used,
   * because they may appear at any time.
   */
  displayName: string;
  /** The type from a person or the inventory; null if only observed. */
  confirmedType: string | null;
}

/**
 * The devices that hold these addresses, by address. The laterals force lookups by id: without statistics,
 * the planner expects few devices at a new site and compares all with all.
 */
export async function devicesByAddress(
  tx: Tx,
  tenantId: string,
  ips: readonly string[],
): Promise<Map<string, KnownDevice>> {
  if (ips.length === 0) return new Map();
  const name = (device: Sql) =>
    sql`
    case when ${device}.display_name_source in ('person', 'inventory') then ${device}.display_name
      else coalesce(${device}.address_name, ${device}.display_name) end`;
  const confirmed = (device: Sql) =>
    sql`
    case when ${device}.classification_source in ('human_confirmed', 'inventory') then ${device}.device_type end`;
  const rows = await tx.rows<
    {
      ip: string;
      device_id: string;
      survivor_id: string;
      display_name: string;
      confirmed_type: string | null;
    }
  >(
    sql`
    select a.ip, a.device_id, coalesce(s.device_id, d.device_id) as survivor_id,
      case when s.device_id is null then ${name(sql`d`)} else ${name(sql`s`)} end as display_name,
      case when s.device_id is null then ${confirmed(sql`d`)} else ${confirmed(sql`s`)} end as confirmed_type
    from device_address a
    cross join lateral (
      select * from device where tenant_id = ${tenantId} and device_id = a.device_id limit 1
    ) d
    left join lateral (
      select * from device where tenant_id = ${tenantId} and device_id = d.merged_into limit 1
    ) s on true
    where a.tenant_id = ${tenantId} and a.ip = any(${plainArray(ips)}::inet[])`,
  );
  return new Map(
    rows.map((row) => [fromInet(row.ip), {
      deviceId: row.device_id,
      survivorId: row.survivor_id,
      displayName: row.display_name,
      confirmedType: row.confirmed_type,
    }]),
  );
}

/** Number of devices, without merged ones. */
export async function countDevices(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.rows<{ n: number }>(
    sql`select count(*)::int as n from device where tenant_id = ${tenantId} and merged_into is null`,
  );
  return row!.n;
}

const SEEN: Column<DeviceAddress>[] = [
  { name: "device_id", type: "uuid", of: (address) => address.deviceId },
  { name: "first_seen", type: "timestamptz", of: (address) => address.firstSeen },
  { name: "last_seen", type: "timestamptz", of: (address) => address.lastSeen },
];
const IP: Column<DeviceAddress> = { name: "ip", type: "inet", of: (address) => address.ip };
const NAMES: Column<DeviceAddress>[] = [
  { name: "display_name", type: "text", of: (address) => address.ip },
  { name: "address_name", type: "text", of: (address) => address.ip },
];

/**
 * Adds new devices, named after their address at first, and extends the spans of known ones. `batchNo` is the
 * newest batch that has records of them.
 */
export async function recordDevices(
  tx: Tx,
  tenantId: string,
  seen: readonly DeviceAddress[],
  batchNo: number,
): Promise<void> {
  if (seen.length === 0) return;
  // The same order in every transaction, because people's edits and the pipeline lock the same rows.
  const sorted = [...seen].sort((a, b) => a.deviceId < b.deviceId ? -1 : 1);
  const batch: Column<DeviceAddress> = { name: "seen_batch", type: "bigint", of: () => batchNo };
  await Promise.all([
    tx.run(sql`
      ${insertRows("device", tenantId, [...SEEN, ...NAMES, batch], eachDevice(sorted))}
      on conflict (tenant_id, device_id) do update
        set first_seen = least(device.first_seen, excluded.first_seen),
            last_seen = greatest(device.last_seen, excluded.last_seen),
            seen_batch = greatest(device.seen_batch, excluded.seen_batch)`),
    tx.run(sql`
      ${insertRows("device_address", tenantId, [IP, ...SEEN], sorted)}
      on conflict (tenant_id, ip) do update
        set first_seen = least(device_address.first_seen, excluded.first_seen),
            last_seen = greatest(device_address.last_seen, excluded.last_seen)`),
  ]);
}

/** One row per device: the span over all of its addresses, with the first address. */
function eachDevice(sorted: readonly DeviceAddress[]): DeviceAddress[] {
  const devices = new Map<string, DeviceAddress>();
  for (const address of sorted) {
    const known = devices.get(address.deviceId);
    if (!known) {
      devices.set(address.deviceId, address);
      continue;
    }
    devices.set(address.deviceId, {
      ...(address.firstSeen < known.firstSeen ? address : known),
      lastSeen: Math.max(known.lastSeen, address.lastSeen),
    });
  }
  return [...devices.values()];
}
