import { createHash } from "node:crypto";
import type { InventoryDevice } from "../../config/inventory.ts";
import { describeWithInventory, differs } from "../../domain/device/inventory.ts";
import { timeUuid } from "../../kit/id.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { nameDevices } from "../../store/device/names.ts";
import { type InventoryChange, type InventoryEntry, replaceInventory } from "../../store/device/inventory.ts";
import { inventoryStandings, writeDescriptions } from "../../store/device/inventory-apply.ts";

/** Devices written in one transaction: the pipeline waits for their rows meanwhile. */
const CHUNK = 500;

/** Makes what the file says the tenant's inventory, as of `readAt` what is new in it. No device changes by that alone. */
export async function storeInventory(
  db: Database,
  tenantId: string,
  devices: readonly InventoryDevice[],
  readAt: number,
): Promise<InventoryChange> {
  const entries = devices.map((device) => ({ ...device, entryId: entryId(tenantId, device) }));
  return await db.tenant(tenantId, (tx) => replaceInventory(tx, tenantId, entries, readAt));
}

/** Follows from what the entry says alone: two cores that read the same file give it the same one. */
function entryId(tenantId: string, device: Omit<InventoryEntry, "entryId">): string {
  const { name, type, owner, tags, addresses, macAddresses } = device;
  const text = JSON.stringify([tenantId, name, type, owner, tags, addresses, macAddresses]);
  return timeUuid(0, createHash("sha256").update(text).digest());
}

/**
 * Gives every device what the inventory says of it, where no person said otherwise, and takes back what it no longer
 * says. Returns the number of devices that changed.
 */
export async function applyInventory(db: Database, tenantId: string): Promise<number> {
  let changed = 0;
  for (;;) {
    const { found, written } = await db.tenant(tenantId, (tx) => applyChunk(tx, tenantId));
    changed += written;
    // What a person is changing at this moment is left for the next time.
    if (found <= CHUNK || written === 0) return changed;
  }
}

async function applyChunk(tx: Tx, tenantId: string): Promise<{ found: number; written: number }> {
  const changes = (await inventoryStandings(tx, tenantId, null)).flatMap((standing) => {
    const { deviceId, revision, device, word, observed } = standing;
    const described = describeWithInventory(device, word, observed);
    return differs(device, described) ? [{ deviceId, revision, device: described }] : [];
  });
  const chunk = changes.slice(0, CHUNK);
  const written = await writeDescriptions(tx, tenantId, chunk);
  // Where the inventory took its name back, another that was observed may be known.
  const nameless = chunk.filter(({ device }) => device.displayNameSource === "address");
  await nameDevices(tx, tenantId, nameless.map(({ deviceId }) => deviceId));
  return { found: changes.length, written };
}
