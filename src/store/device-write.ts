import type { Tx } from "./database.ts";
import { fromInet } from "./flows.ts";
import { plainArray } from "./literals.ts";
import { type Column, insertRows } from "./rows.ts";
import { sql } from "./sql.ts";

/** An internal address and the device that holds it. */
export interface DeviceAddress {
  ip: string;
  deviceId: string;
  /** Span this batch saw it in. */
  firstSeen: number;
  lastSeen: number;
  vlans: Set<number>;
}

export interface KnownDevice {
  deviceId: string;
  displayName: string;
}

/** The devices that hold these addresses, by address. */
export async function devicesByAddress(
  tx: Tx,
  tenantId: string,
  ips: readonly string[],
): Promise<Map<string, KnownDevice>> {
  if (ips.length === 0) return new Map();
  const rows = await tx.rows<{ ip: string; device_id: string; display_name: string }>(sql`
    select a.ip, a.device_id, d.display_name
    from device_address a join device d on d.tenant_id = a.tenant_id and d.device_id = a.device_id
    where a.tenant_id = ${tenantId} and a.ip = any(${plainArray(ips)}::inet[])`);
  return new Map(
    rows.map((row) => [fromInet(row.ip), { deviceId: row.device_id, displayName: row.display_name }]),
  );
}

export async function countDevices(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.rows<{ n: number }>(
    sql`select count(*)::int as n from device where tenant_id = ${tenantId}`,
  );
  return row!.n;
}

const SEEN: Column<DeviceAddress>[] = [
  { name: "device_id", type: "uuid", of: (address) => address.deviceId },
  { name: "first_seen", type: "timestamptz", of: (address) => address.firstSeen },
  { name: "last_seen", type: "timestamptz", of: (address) => address.lastSeen },
];
const IP: Column<DeviceAddress> = { name: "ip", type: "inet", of: (address) => address.ip };
const NAME: Column<DeviceAddress> = { name: "display_name", type: "text", of: (address) => address.ip };

/** Adds new devices (named after their address until somebody names them) and widens what is known of all. */
export async function recordDevices(tx: Tx, tenantId: string, seen: readonly DeviceAddress[]): Promise<void> {
  if (seen.length === 0) return;
  // The same order in every transaction: a person's edit and the pipeline may meet on these rows.
  const sorted = [...seen].sort((a, b) => a.deviceId < b.deviceId ? -1 : 1);
  const vlans = sorted.flatMap(({ deviceId, vlans }) => [...vlans].map((vlanId) => ({ deviceId, vlanId })));
  await Promise.all([
    tx.run(sql`
      ${insertRows("device", tenantId, [...SEEN, NAME], sorted)}
      on conflict (tenant_id, device_id) do update
        set first_seen = least(device.first_seen, excluded.first_seen),
            last_seen = greatest(device.last_seen, excluded.last_seen)`),
    tx.run(sql`
      ${insertRows("device_address", tenantId, [IP, ...SEEN], sorted)}
      on conflict (tenant_id, ip) do update
        set first_seen = least(device_address.first_seen, excluded.first_seen),
            last_seen = greatest(device_address.last_seen, excluded.last_seen)`),
    vlans.length === 0
      ? 0
      : tx.run(sql`${insertRows("device_vlan", tenantId, VLAN, vlans)} on conflict do nothing`),
  ]);
}

const VLAN: Column<{ deviceId: string; vlanId: number }>[] = [
  { name: "device_id", type: "uuid", of: (row) => row.deviceId },
  { name: "vlan_id", type: "integer", of: (row) => row.vlanId },
];
