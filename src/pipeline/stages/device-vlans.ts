import type { Site } from "../../contract/site.ts";
import { taggedVlan, vlanFinder } from "../../domain/device/vlan.ts";
import type { Tx } from "../../store/engine/database.ts";
import { type DeviceVlan, recordGuesses, recordTags } from "../../store/device/vlans.ts";
import type { Step } from "./correlate.ts";
import type { DeviceRoster } from "./devices.ts";

/**
 * Writes the VLANs of the round's devices: by the tags that sensors saw, and of a new device without any by the site's
 * networks, until a tag is seen.
 */
export async function recordVlans(
  tx: Tx,
  tenantId: string,
  steps: readonly Step[],
  roster: DeviceRoster,
  vlans: Site["vlans"],
): Promise<void> {
  const vlanOf = vlanFinder(vlans);
  const { tags, tagged } = tagsOf(steps, vlanOf);
  const guesses = roster.added.flatMap(({ deviceId, ip }) => {
    const vlanId = tagged.has(deviceId) ? null : vlanOf(ip);
    return vlanId === null ? [] : [{ deviceId, vlanId }];
  });
  await Promise.all([
    recordTags(tx, tenantId, tags, vlans.length > 0),
    recordGuesses(tx, tenantId, guesses),
  ]);
}

/** The tags of the devices, each once, and the devices that have any. */
function tagsOf(
  steps: readonly Step[],
  vlanOf: ReturnType<typeof vlanFinder>,
): { tags: DeviceVlan[]; tagged: ReadonlySet<string> } {
  const tags = new Map<string, DeviceVlan>();
  const tagged = new Set<string>();
  for (const { record: { observation }, srcDevice, dstDevice } of steps) {
    if (observation.vlan === null) continue;
    for (const [end, device] of [["src", srcDevice], ["dst", dstDevice]] as const) {
      const vlanId = device === null ? null : taggedVlan(observation, end, vlanOf);
      if (device === null || vlanId === null) continue;
      const { deviceId } = device;
      tags.set(`${deviceId} ${vlanId}`, { deviceId, vlanId });
      tagged.add(deviceId);
    }
  }
  return { tags: [...tags.values()], tagged };
}
