import type { Site } from "../../contract/site.ts";
import { taggedVlan, vlanFinder } from "../../domain/device/vlan.ts";
import { type DeviceVlan, recordGuesses, recordTags } from "../../store/device/vlans.ts";
import type { Tx } from "../../store/engine/database.ts";
import type { Step } from "./correlate.ts";
import type { AddedDevice } from "./devices.ts";
import { flows } from "./flows.ts";
import type { Stage } from "./stage.ts";

/**
 * Writes the VLANs of the round's devices: the tags that sensors saw, and for a new device without a tag the VLAN of
 * the site's network that its address lies in, which holds until a tag is seen.
 */
export const deviceVlans: Stage<void> = {
  *write({ tx }, _prepared, round) {
    const { tenantId, settings: { site: { vlans } } } = round.basis;
    const { devices: { added }, correlation: { steps } } = round.of(flows);
    yield writeVlans(tx, tenantId, { steps, added, vlans });
  },
};

async function writeVlans(
  tx: Tx,
  tenantId: string,
  { steps, added, vlans }: { steps: readonly Step[]; added: readonly AddedDevice[]; vlans: Site["vlans"] },
): Promise<void> {
  const vlanOf = vlanFinder(vlans);
  const { tags, tagged } = tagsOf(steps, vlanOf);
  const guesses = added.flatMap(({ deviceId, ip }) => {
    const vlanId = tagged.has(deviceId) ? null : vlanOf(ip);
    return vlanId === null ? [] : [{ deviceId, vlanId }];
  });
  await Promise.all([
    recordTags(tx, tenantId, tags, vlans.length > 0),
    recordGuesses(tx, tenantId, guesses),
  ]);
}

/** The distinct tags of the devices, and the devices that have any. */
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
