import type { DevicePatch } from "../../../contract/device/device.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { patchDevice } from "../../../store/device/patch.ts";
import type { DeviceRow } from "../../../store/device/read.ts";
import { addHistory } from "../../../store/incident/history.ts";
import type { Caller } from "../../handler.ts";

/**
 * Applies a user's patch to a device and records it in the history. Returns the new revision, or null if the
 * device no longer has the expected one.
 */
export async function confirmDevice(
  tx: Tx,
  caller: Pick<Caller, "tenantId" | "subject">,
  before: DeviceRow,
  change: { patch: DevicePatch; revision: number; now: number; comment: string | null },
): Promise<number | null> {
  const { patch, now, comment } = change;
  const revision = await patchDevice(tx, caller.tenantId, before.device_id, change.revision, patch);
  if (revision === null) return null;
  await addHistory(tx, caller.tenantId, before.device_id, {
    at: now,
    actor: caller.subject,
    action: "classification_confirmed",
    from: JSON.stringify(formerValues(before, patch)),
    to: JSON.stringify(patch),
    comment,
    revision,
  });
  return revision;
}

/** The former values of the fields that a patch changes. */
export function formerValues(before: DeviceRow, patch: DevicePatch): Partial<DeviceRow> {
  const fields = Object.keys(patch) as (keyof DevicePatch)[];
  return Object.fromEntries(fields.map((field) => [field, before[field]]));
}
