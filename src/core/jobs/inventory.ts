import { sha256Bytes } from "../../kit/hash.ts";
import type { InventoryDevice } from "../../config/inventory.ts";
import { describeWithInventory, differs } from "../../domain/device/inventory.ts";
import { timeUuid } from "../../kit/id.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { nameDevices } from "../../store/device/names.ts";
import { type InventoryChange, type InventoryEntry, replaceInventory } from "../../store/device/inventory.ts";
import { inventoryStandings, writeDescriptions } from "../../store/device/inventory-apply.ts";

/** Devices written per transaction; the pipeline waits for their rows. */
const CHUNK = 500;

/**
 * Replaces the tenant's inventory; new entries are dated `readAt` (microseconds). Does not change devices by
 * itself.
 */
export async function storeInventory(
  db: Database,
  tenantId: string,
  devices: readonly InventoryDevice[],
  readAt: number,
): Promise<InventoryChange> {
  const entries = devices.map((device) => ({ ...device, entryId: entryId(tenantId, device) }));
  return await db.tenant(tenantId, (tx) => replaceInventory(tx, tenantId, entries, readAt));
}

/** Derived from the entry's content, so that cores reading the same file agree. */
function entryId(tenantId: string, device: Omit<InventoryEntry, "entryId">): string {
  const { name, type, owner, tags, addresses, macAddresses } = device;
  const text = JSON.stringify([tenantId, name, type, owner, tags, addresses, macAddresses]);
  return timeUuid(0, sha256Bytes(text));
}

/**
 * Applies the inventory to all devices where no user set a value, and reverts values it no longer contains.
 * Returns the number of changed devices.
 */
export async function applyInventory(db: Database, tenantId: string): Promise<number> {
  let changed = 0;
  for (;;) {
    const { found, written } = await db.tenant(tenantId, (tx) => applyChunk(tx, tenantId));
    changed += written;
    // Devices being changed by a user are left to the next round.
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
  // A device whose inventory name was reverted may have an observed one.
  const nameless = chunk.filter(({ device }) => device.displayNameSource === "address");
  await nameDevices(tx, tenantId, nameless.map(({ deviceId }) => deviceId));
  return { found: changes.length, written };
}
