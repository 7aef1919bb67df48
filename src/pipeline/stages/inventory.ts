import { describeWithInventory } from "../../domain/device/inventory.ts";
import { inventoryStandings, writeDescriptions } from "../../store/device/inventory-apply.ts";
import type { Tx } from "../../store/engine/database.ts";
import type { AddedDevice } from "./devices.ts";
import { flows } from "./flows.ts";
import type { Stage } from "./stage.ts";

/** Describes the round's new devices from the inventory. Later changes of the inventory are applied by a job. */
export const inventory: Stage<void> = {
  *write({ tx }, _prepared, round) {
    yield describeAdded(tx, round.basis.tenantId, round.of(flows).devices.added);
  },
};

async function describeAdded(tx: Tx, tenantId: string, added: readonly AddedDevice[]): Promise<void> {
  const known = added.filter(({ inInventory }) => inInventory).map(({ deviceId }) => deviceId);
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
