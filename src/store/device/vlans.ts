import type { Tx } from "../engine/database.ts";
import { fromInet } from "../flow/flows.ts";
import { plainArray } from "../engine/literals.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

export interface DeviceVlan {
  deviceId: string;
  vlanId: number;
}

function columns(source: "tag" | "network"): Column<DeviceVlan>[] {
  return [
    { name: "device_id", type: "uuid", of: (row) => row.deviceId },
    { name: "vlan_id", type: "integer", of: (row) => row.vlanId },
    { name: "source", type: "text", of: () => source },
  ];
}

/**
 * Adds VLANs whose tags were seen, and deletes guesses about these devices; `guessed`: whether there may be
 * any.
 */
export async function recordTags(
  tx: Tx,
  tenantId: string,
  vlans: readonly DeviceVlan[],
  guessed: boolean,
): Promise<void> {
  if (vlans.length === 0) return;
  const ids = plainArray([...new Set(vlans.map((row) => row.deviceId))]);
  await Promise.all([
    tx.run(sql`
      ${insertRows("device_vlan", tenantId, columns("tag"), vlans)}
      on conflict (tenant_id, device_id, vlan_id) do update set source = 'tag' where device_vlan.source <> 'tag'`),
    guessed
      ? tx.run(sql`
        delete from device_vlan
        where tenant_id = ${tenantId} and device_id = any(${ids}::uuid[]) and source = 'network'`)
      : 0,
  ]);
}

/** Adds VLANs derived from the addresses of devices without a seen tag. */
export async function recordGuesses(tx: Tx, tenantId: string, vlans: readonly DeviceVlan[]): Promise<void> {
  if (vlans.length === 0) return;
  await tx.run(sql`${insertRows("device_vlan", tenantId, columns("network"), vlans)} on conflict do nothing`);
}

export interface StoredVlan {
  vlanId: number;
  source: "tag" | "network";
}

/** The VLANs of these devices; `tag` wins over `network`. */
export async function vlansOfDevices(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<StoredVlan[]> {
  const rows = await tx.rows<{ vlan_id: number; source: StoredVlan["source"] }>(sql`
    select vlan_id, case when bool_or(source = 'tag') then 'tag' else 'network' end as source
    from device_vlan where tenant_id = ${tenantId} and device_id = any(${plainArray(deviceIds)}::uuid[])
    group by vlan_id order by vlan_id`);
  return rows.map((row) => ({ vlanId: row.vlan_id, source: row.source }));
}

/** Every address of devices without a seen tag. */
export async function untaggedAddresses(
  tx: Tx,
  tenantId: string,
): Promise<{ deviceId: string; ip: string }[]> {
  const rows = await tx.rows<{ device_id: string; ip: string }>(sql`
    select a.device_id, a.ip from device_address a
    where a.tenant_id = ${tenantId} and not exists (
      select from device_vlan v where v.tenant_id = ${tenantId} and v.device_id = a.device_id and v.source = 'tag')`);
  return rows.map((row) => ({ deviceId: row.device_id, ip: fromInet(row.ip) }));
}

/** Replaces all guesses by these. */
export async function replaceGuesses(
  tx: Tx,
  tenantId: string,
  vlans: readonly DeviceVlan[],
): Promise<void> {
  const key = ({ deviceId, vlanId }: DeviceVlan) => `${deviceId} ${vlanId}`;
  const rows = await tx.rows<{ device_id: string; vlan_id: number }>(sql`
    select device_id, vlan_id from device_vlan where tenant_id = ${tenantId} and source = 'network'`);
  const stored = rows.map((row) => ({ deviceId: row.device_id, vlanId: row.vlan_id }));
  const wanted = new Set(vlans.map(key));
  const known = new Set(stored.map(key));
  const gone = stored.filter((row) => !wanted.has(key(row)));
  if (gone.length > 0) {
    await tx.run(sql`
      delete from device_vlan v
      using unnest(${plainArray(gone.map((row) => row.deviceId))}::uuid[],
        ${plainArray(gone.map((row) => row.vlanId))}::integer[]) as u (device_id, vlan_id)
      where v.tenant_id = ${tenantId} and v.device_id = u.device_id and v.vlan_id = u.vlan_id
        and v.source = 'network'`);
  }
  await recordGuesses(tx, tenantId, vlans.filter((row) => !known.has(key(row))));
}
