import { describeWithInventory } from "../../domain/device/inventory.ts";
import type { Tx } from "../../store/engine/database.ts";
import { inventoryStandings, writeDescriptions } from "../../store/device/inventory-apply.ts";
import type { DeviceRoster } from "./devices.ts";

/** Gives the round's new devices what the inventory says of them; whatever it says later is a job's work. */
export async function describeAdded(tx: Tx, tenantId: string, roster: DeviceRoster): Promise<void> {
  const known = roster.added.filter(({ inInventory }) => inInventory).map(({ deviceId }) => deviceId);
  if (known.length === 0) return;
  const standings = await inventoryStandings(tx, tenantId, known);
  await writeDescriptions(
    tx,
    tenantId,
    standings.map(({ deviceId, revision, device, word, observed }) => ({
      deviceId,
      revision,
      device: describeWithInventory(device, word, observed),
    })),
  );
}
