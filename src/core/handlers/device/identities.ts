import type { DeviceDetail } from "../../../contract/device/device.ts";
import type { DeviceIdentity, DeviceMerge } from "../../../contract/device/identity.ts";
import { traitsOf } from "../../../domain/device/identity/anchors.ts";
import { messageOf } from "../../../kit/errors.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { Logger } from "../../../observe/log.ts";
import type { Database, Tx } from "../../../store/engine/database.ts";
import { anchorsOf, type StoredAnchor } from "../../../store/device/anchor.ts";
import { deviceGroup } from "../../../store/device/group.ts";
import { type MergeRow, mergesOf } from "../../../store/device/merge.ts";

/** The identity job's results for a device. */
type Identities = Pick<DeviceDetail, "identities" | "merge_events">;

/** A detail's values while the job is off. */
export const NO_IDENTITIES: Identities = { identities: [], merge_events: [] };

/** Reads identities in a separate transaction, so that the detail survives a failure. */
export async function identitiesOrNone(
  db: Database,
  tenantId: string,
  deviceId: string,
  logger: Logger,
): Promise<Identities> {
  try {
    return await db.tenant(tenantId, (tx) => readIdentities(tx, tenantId, deviceId));
  } catch (error) {
    logger.error("cannot read a device's identities", {
      tenant: tenantId,
      message: messageOf(error),
    });
    return NO_IDENTITIES;
  }
}

export async function readIdentities(tx: Tx, tenantId: string, deviceId: string): Promise<Identities> {
  const group = await deviceGroup(tx, tenantId, deviceId);
  const anchors = await anchorsOf(tx, tenantId, group);
  const merges = await mergesOf(tx, tenantId, group);
  return { identities: identityViews(anchors), merge_events: merges.map(mergeView) };
}

/** Each value once, even if several merged devices have it; the highest weight first. */
function identityViews(anchors: readonly StoredAnchor[]): DeviceIdentity[] {
  const same = Map.groupBy(anchors, (anchor) => `${anchor.class} ${anchor.value}`);
  return [...same.values()].map((held) => identityView(held as [StoredAnchor, ...StoredAnchor[]]))
    .sort((a, b) => b.weight - a.weight || (a.class < b.class ? -1 : a.class > b.class ? 1 : 0));
}

function identityView(held: [StoredAnchor, ...StoredAnchor[]]): DeviceIdentity {
  const { class: kind, value } = held[0];
  const newest = held.reduce((a, b) => b.lastSeen > a.lastSeen ? b : a);
  const { weight, randomized, confirming } = traitsOf(newest);
  const shared = held.some((anchor) => anchor.shared);
  return {
    class: kind,
    value,
    source: newest.source,
    weight,
    first_seen: formatMillis(Math.min(...held.map((anchor) => anchor.firstSeen))),
    last_seen: formatMillis(newest.lastSeen),
    observed_days: new Set(held.flatMap((anchor) => anchor.days)).size,
    randomized,
    confirming: confirming && !shared,
    shared,
  };
}

function mergeView(row: MergeRow): DeviceMerge {
  return {
    merge_id: row.merge_id,
    at: formatMillis(row.at),
    from_device_id: row.from_device_id,
    into_device_id: row.into_device_id,
    reason: row.reason,
    weight: row.weight,
    anchors: row.support.map(({ class: kind, value, weight }) => ({ class: kind, value, weight })),
    undone_at: row.undone_at === null ? null : formatMillis(row.undone_at),
    undo_cause: row.undo_cause,
    undo_reason: row.undo_reason,
  };
}
