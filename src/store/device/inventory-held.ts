import { type Sql, sql } from "../engine/sql.ts";

/**
 * Which entries of the inventory have which devices, as a relation in parentheses: `device_id`, `entry_id`, the address
 * `ip` that it is by, and `mac`: null where the entry has that address, else the entry's MAC address, that of the client
 * that DHCP gave the address to last. Of leases of one moment the lower MAC address counts as the last.
 *
 * A device may be had by several entries: the ones with an address come first (`mac is not null`), then the lower `ip`.
 * No two of them have the same address, or the same MAC address.
 */
export function inventoryHeld(tenantId: string): Sql {
  return sql`(
    select a.device_id, k.entry_id, a.ip, null::text as mac
    from inventory_address k join device_address a on a.tenant_id = k.tenant_id and a.ip = k.ip
    where k.tenant_id = ${tenantId}
    union all
    select a.device_id, k.entry_id, a.ip, k.mac
    from inventory_mac k
    join dhcp_lease l on l.tenant_id = k.tenant_id and l.mac = k.mac and l.granted_at is not null
    join device_address a on a.tenant_id = k.tenant_id and a.ip = l.ip
    where k.tenant_id = ${tenantId} and not exists (
      select from dhcp_lease newer
      where newer.tenant_id = ${tenantId} and newer.ip = l.ip
        and (newer.granted_at > l.granted_at or (newer.granted_at = l.granted_at and newer.mac < l.mac)))
  )`;
}
