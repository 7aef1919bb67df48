import type { Tx } from "../engine/database.ts";
import { binaryArray } from "../engine/postgres/binary-array.ts";
import { sql } from "../engine/sql.ts";

/**
 * Updates devices to their best observed name: a lease's host name, else that of a machine's Kerberos
 * account, else the name an SMB client reports; the newest of a kind. Devices are given by id and by address.
 * Names from people and the inventory stay. The name depends only on leases and facts, so call this whenever
 * one of them changes.
 */
export async function nameDevices(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
  ips: readonly string[] = [],
): Promise<void> {
  if (deviceIds.length + ips.length === 0) return;
  await tx.run(sql`
    update device d set display_name = best.name, display_name_source = best.source
    from (
      select unnest(${binaryArray("uuid", deviceIds)}::uuid[]) as device_id
      union
      select device_id from device_address
      where tenant_id = ${tenantId} and ip = any(${binaryArray("inet", ips)}::inet[])
    ) touched cross join lateral (
      select name, source from (
        select l.host_name as name, 'dhcp' as source, 1 as place, l.granted_at as at
        from device_address a join dhcp_lease l on l.tenant_id = ${tenantId} and l.ip = a.ip
        where a.tenant_id = ${tenantId} and a.device_id = touched.device_id
          and l.granted_at is not null and l.host_name is not null
        union all
        select detail, case kind when 'smb_host' then 'smb' else 'kerberos' end,
          case kind when 'smb_host' then 3 else 2 end, last_seen
        from device_fact
        where tenant_id = ${tenantId} and device_id = touched.device_id
          and kind in ('kerberos_principal', 'smb_host') and detail is not null
      ) names order by place, at desc, name limit 1
    ) best
    where d.tenant_id = ${tenantId} and d.device_id = touched.device_id
      and d.display_name_source not in ('person', 'inventory')
      and (d.display_name <> best.name or d.display_name_source <> best.source)`);
}
