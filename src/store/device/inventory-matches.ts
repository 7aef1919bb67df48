import { type Sql, sql } from "../engine/sql.ts";

/**
 * The inventory entries that match each device, as a parenthesised relation: `device_id`, `entry_id`, the
 * matching address `ip`, and `mac`: null if the entry has that address, else the entry's MAC address, which
 * is the client's that the address was last leased to. Of simultaneous leases, the lower MAC address counts
 * as the last.
 *
 * Several entries may match a device: entries with an address take precedence (`mac is not null`), then the
 * lower `ip`. No two entries have the same address or MAC address.
 */
export function inventoryMatches(tenantId: string): Sql {
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
