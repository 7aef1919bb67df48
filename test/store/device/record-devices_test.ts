import assert from "node:assert/strict";
import type { Tx } from "../../../src/store/engine/database.ts";
import { devicesByAddress, recordDevices } from "../../../src/store/device/write.ts";
import { deviceById } from "../../../src/store/device/read.ts";
import { type Sql, sql } from "../../../src/store/engine/sql.ts";
import { testDatabases } from "../../support/database.ts";

const DEVICE = "019b7746-0c00-7000-a000-000000000007";
const OTHER = "019b7746-0c00-7000-a000-000000000008";

testDatabases(
  "a device with several addresses is recorded once, with the span of all of them",
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

testDatabases(
  "devices without statistics are looked up, not compared with each other",
  async (db) => {
    const seen = Array.from({ length: 300 }, (_, at) => ({
      ip: `10.1.${at >> 8}.${at & 255}`,
      deviceId: `019b7746-0c00-7000-a000-${at.toString(16).padStart(12, "0")}`,
      firstSeen: 1000,
      lastSeen: 2000,
    }));
    await db.tenant("main", (tx) => recordDevices(tx, "main", seen, 1));
    await db.tenant("main", async (tx) => {
      const plans: string[] = [];
      const explaining = {
        rows: async (statement: Sql) => {
          plans.push(JSON.stringify(await tx.rows(sql`explain (analyze, format json) ${statement}`)));
          return [];
        },
      } as unknown as Tx;
      await devicesByAddress(explaining, "main", seen.map(({ ip }) => ip));
      assert.equal(plans.length, 1);
      const removed = [...plans[0]!.matchAll(/"Rows Removed by (?:Join )?Filter":\s*(\d+)/g)].map((
        [, rows],
      ) => Number(rows));
      const loops = [...plans[0]!.matchAll(/"Actual Rows":\s*([\d.]+),"Actual Loops":\s*(\d+)/g)]
        .map(([, rows, times]) => Number(rows) * Number(times));
      assert.ok(loops.length > 2 && Math.max(...removed, ...loops) <= seen.length, plans[0]!);
    });
  },
);
