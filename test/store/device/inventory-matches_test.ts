import assert from "node:assert/strict";
import type { Tx } from "../../../src/store/engine/database.ts";
import { recordLeases, type StoredLease } from "../../../src/store/device/dhcp-leases.ts";
import { inventorySightings } from "../../../src/store/device/identity-evidence.ts";
import { inventoryStandings } from "../../../src/store/device/inventory-apply.ts";
import {
  type InventoryEntry,
  inventoryOfDevices,
  replaceInventory,
} from "../../../src/store/device/inventory.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { timeUuid } from "../../../src/kit/id.ts";
import { testDatabases } from "../../support/database.ts";
import { NOON } from "../record/records.ts";

const IP = "10.0.0.50";
const [FIRST, SECOND] = ["00:16:3e:5a:00:01", "00:16:3e:5a:00:02"];
const DEVICE = id(1);
const MINUTE = 60_000_000;

function id(n: number): string {
  return timeUuid(NOON, new Uint8Array(10).fill(n));
}

function entry(n: number, name: string, keys: Partial<InventoryEntry>): InventoryEntry {
  return {
    entryId: id(n),
    name,
    type: null,
    owner: null,
    tags: [],
    addresses: [],
    macAddresses: [],
    ...keys,
  };
}

function lease(mac: string, grantedAt: number): StoredLease {
  return {
    ip: IP,
    mac,
    firstSeen: grantedAt,
    lastSeen: grantedAt,
    receivedAt: grantedAt,
    grantedAt,
    leaseSeconds: 3600,
    serverIp: null,
    clientId: null,
    hostName: null,
    vendorClass: null,
    sources: ["zeek"],
    evidenceId: id(8),
    flowId: id(9),
  };
}

/** The device's entry according to each reader: identity, description, evidence. */
async function matchedEntries(tx: Tx): Promise<(string | undefined)[]> {
  const [sighting] = await inventorySightings(tx, "main");
  const [standing] = await inventoryStandings(tx, "main", null);
  const [evidence] = await inventoryOfDevices(tx, "main", [DEVICE]);
  return [sighting?.value, standing?.word?.name, evidence?.name];
}

const CASES: { name: string; leases: StoredLease[]; entries: InventoryEntry[]; expected?: string }[] = [
  {
    name: "the MAC address of the newest lease",
    leases: [lease(FIRST, NOON), lease(SECOND, NOON + MINUTE)],
    entries: [entry(2, "Anna", { macAddresses: [FIRST] }), entry(3, "Bob", { macAddresses: [SECOND] })],
    expected: "Bob",
  },
  {
    name: "not the MAC address of an earlier lease",
    leases: [lease(FIRST, NOON), lease(SECOND, NOON + MINUTE)],
    entries: [entry(2, "Anna", { macAddresses: [FIRST] })],
  },
  {
    name: "the lower MAC address of simultaneous leases",
    leases: [lease(FIRST, NOON), lease(SECOND, NOON)],
    entries: [entry(2, "Anna", { macAddresses: [FIRST] }), entry(3, "Bob", { macAddresses: [SECOND] })],
    expected: "Anna",
  },
  {
    name: "not the higher MAC address of simultaneous leases",
    leases: [lease(FIRST, NOON), lease(SECOND, NOON)],
    entries: [entry(3, "Bob", { macAddresses: [SECOND] })],
  },
  {
    name: "its address before any MAC address",
    leases: [lease(FIRST, NOON)],
    entries: [entry(2, "Anna", { macAddresses: [FIRST] }), entry(3, "Desk", { addresses: [IP] })],
    expected: "Desk",
  },
];

async function addDevice(
  tx: Tx,
  deviceId: string,
  ip: string,
  mergedInto: string | null = null,
): Promise<void> {
  await tx.run(sql`
    insert into device (tenant_id, device_id, display_name, first_seen, last_seen, merged_into)
    values ('main', ${deviceId}::uuid, ${ip}, now(), now(), ${mergedInto}::uuid)`);
  await tx.run(sql`
    insert into device_address (tenant_id, ip, device_id, first_seen, last_seen)
    values ('main', ${ip}::inet, ${deviceId}::uuid, now(), now())`);
}

for (const { name, leases, entries, expected } of CASES) {
  testDatabases(`all readers match the device to the same inventory entry: ${name}`, async (db) => {
    const matched = await db.tenant("main", async (tx) => {
      await addDevice(tx, DEVICE, IP);
      await replaceInventory(tx, "main", entries, NOON);
      await recordLeases(tx, "main", leases);
      return await matchedEntries(tx);
    });
    assert.deepEqual(matched, [expected, expected, expected]);
  });
}

testDatabases(
  "a merged device uses the entry of either device, in single and bulk reads",
  async (db) => {
    await db.tenant("main", async (tx) => {
      await addDevice(tx, DEVICE, IP);
      await addDevice(tx, id(4), "10.0.0.51", DEVICE);
      await addDevice(tx, id(5), "10.0.0.52");
      await replaceInventory(tx, "main", [entry(2, "Desk", { addresses: ["10.0.0.51"] })], NOON);
      const all = await inventoryStandings(tx, "main", null);
      assert.deepEqual(all.map(({ deviceId, word }) => [deviceId, word?.name]).sort(), [
        [DEVICE, "Desk"],
        [id(4), "Desk"],
      ]);
      for (const standing of all) {
        assert.deepEqual(await inventoryStandings(tx, "main", [standing.deviceId]), [standing]);
      }
      assert.deepEqual(await inventoryStandings(tx, "main", [id(5)]), []);
    });
  },
);
