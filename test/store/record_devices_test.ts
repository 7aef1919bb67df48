import assert from "node:assert/strict";
import { devicesByAddress, recordDevices } from "../../src/store/device-write.ts";
import { deviceById } from "../../src/store/device-read.ts";
import { testDatabases } from "../support/database.ts";

const DEVICE = "019b7746-0c00-7000-a000-000000000007";
const OTHER = "019b7746-0c00-7000-a000-000000000008";

testDatabases(
  "a device of several addresses is recorded once, from its first sight to its last",
  async (db) => {
    const seen = [
      { ip: "10.0.0.6", deviceId: DEVICE, firstSeen: 2000, lastSeen: 9000 },
      { ip: "10.0.0.5", deviceId: DEVICE, firstSeen: 1000, lastSeen: 3000 },
      { ip: "10.0.0.8", deviceId: OTHER, firstSeen: 5000, lastSeen: 5000 },
    ];
    await db.tenant("main", async (tx) => {
      await recordDevices(tx, "main", seen, 1);
      await recordDevices(tx, "main", [{ ...seen[0]!, lastSeen: 9500 }, { ...seen[1]!, lastSeen: 9400 }], 2);
      const device = (await deviceById(tx, "main", DEVICE))!;
      assert.deepEqual([device.first_seen, device.last_seen, device.display_name], [1000, 9500, "10.0.0.5"]);
      assert.deepEqual(device.addresses, ["10.0.0.5", "10.0.0.6"]);
      const holders = await devicesByAddress(tx, "main", ["10.0.0.5", "10.0.0.6", "10.0.0.8"]);
      assert.deepEqual([...holders.values()].map(({ deviceId }) => deviceId).sort(), [DEVICE, DEVICE, OTHER]);
    });
  },
);
