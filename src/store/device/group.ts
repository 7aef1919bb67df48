import type { FlowState } from "../../domain/flow/flow.ts";
import { binaryArray } from "../engine/postgres/binary-array.ts";
import type { Tx } from "../engine/database.ts";
import { sql } from "../engine/sql.ts";

// Merged devices: the identity job shows devices that are one machine as one, the survivor. Data is stored
// under the device of its own address, and read under the survivor's id.

/**
 * The device that shows device `o`. PostgreSQL does not take `coalesce` for leakproof: under row-level security no index
 * would be used with it.
 */
export const SURVIVOR = sql`case when o.merged_into is null then o.device_id else o.merged_into end`;

/** All devices that are merged with this one, the survivor first; empty if there is no such device. */
export async function deviceGroup(tx: Tx, tenantId: string, deviceId: string): Promise<string[]> {
  const rows = await tx.rows<{ device_id: string }>(sql`
    with survivor as (
      select coalesce(merged_into, device_id) as device_id from device
      where tenant_id = ${tenantId} and device_id = ${deviceId}::uuid
    )
    select device_id, 0 as place from survivor
    union all
    select d.device_id, 1 from survivor s join device d on d.tenant_id = ${tenantId} and d.merged_into = s.device_id
    order by place, device_id`);
  return rows.map((row) => row.device_id);
}

/** The device that shows this one: itself unless it is merged; null if there is no such device. */
export async function survivorOf(tx: Tx, tenantId: string, deviceId: string): Promise<string | null> {
  return (await deviceGroup(tx, tenantId, deviceId))[0] ?? null;
}

/** The survivors of those devices that were merged into another. */
export async function survivorsOf(
  tx: Tx,
  tenantId: string,
  deviceIds: Iterable<string>,
): Promise<Map<string, string>> {
  const ids = [...new Set(deviceIds)];
  if (ids.length === 0) return new Map();
  const rows = await tx.rows<{ device_id: string; merged_into: string }>(sql`
    select device_id, merged_into from device
    where tenant_id = ${tenantId} and device_id = any(${
    binaryArray("uuid", ids)
  }::uuid[]) and merged_into is not null`);
  return new Map(rows.map((row) => [row.device_id, row.merged_into]));
}

/** The flows with merged devices replaced by their survivors. */
export async function asShown<F extends Pick<FlowState, "srcDeviceId" | "dstDeviceId">>(
  tx: Tx,
  tenantId: string,
  flows: readonly F[],
): Promise<F[]> {
  const ids = flows.flatMap(({ srcDeviceId, dstDeviceId }) => [srcDeviceId, dstDeviceId]);
  const survivors = await survivorsOf(tx, tenantId, ids.filter((id) => id !== null));
  if (survivors.size === 0) return [...flows];
  const shown = (id: string | null) => id === null ? null : survivors.get(id) ?? id;
  return flows.map((flow) => ({
    ...flow,
    srcDeviceId: shown(flow.srcDeviceId),
    dstDeviceId: shown(flow.dstDeviceId),
  }));
}
