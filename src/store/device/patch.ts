import type { DevicePatch } from "../../contract/device/device.ts";
import type { Tx } from "../engine/database.ts";
import { textArray } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

/**
 * Applies a person's change and marks the classification as human-confirmed. Returns the new revision, or
 * null if the device no longer has `revision`.
 */
export async function patchDevice(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  revision: number,
  patch: DevicePatch,
): Promise<number | null> {
  const [row] = await tx.rows<{ revision: number }>(sql`
    update device set
      display_name = coalesce(${patch.display_name ?? null}, display_name),
      display_name_source = ${patch.display_name === undefined ? sql`display_name_source` : sql`'person'`},
      device_type = coalesce(${patch.device_type ?? null}, device_type),
      owner = ${patch.owner === undefined ? sql`owner` : sql`${patch.owner}::text`},
      owner_source = ${patch.owner === undefined ? sql`owner_source` : sql`'person'`},
      tags_source = ${patch.tags === undefined ? sql`tags_source` : sql`'person'`},
      classification_source = 'human_confirmed', confidence = 1, revision = revision + 1
    where tenant_id = ${tenantId} and device_id = ${deviceId}::uuid and revision = ${revision}
    returning revision`);
  if (!row) return null;
  if (patch.tags !== undefined) {
    await tx.run(sql`delete from device_tag where tenant_id = ${tenantId} and device_id = ${deviceId}::uuid`);
    await tx.run(sql`
      insert into device_tag (tenant_id, device_id, tag)
      select ${tenantId}, ${deviceId}::uuid, unnest(${
      textArray(patch.tags)
    }::text[]) on conflict do nothing`);
  }
  return row.revision;
}
