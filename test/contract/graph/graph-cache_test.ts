import assert from "node:assert/strict";
import { GraphCache } from "../../../src/core/graph/graph-cache.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { devicesOfAddresses } from "../../../src/store/graph/context.ts";
import { graphVersion } from "../../../src/store/graph/position.ts";
import { testDatabase } from "../../support/database.ts";
import { pushBatch, sensor, settle } from "../../support/record/pipeline.ts";
import { NOW, SECOND } from "../api.ts";
import { conn } from "../records.ts";

const ZEEK = sensor("zeek-1");
const SITE = {};

function devicesNow(db: Database, cache: GraphCache) {
  return db.tenant("main", async (tx) => {
    return {
      remembered: await cache.devicesOf(tx, "main", SITE, await graphVersion(tx, "main")),
      stored: await devicesOfAddresses(tx, "main"),
    };
  });
}

async function take(db: Database, lines: string[]): Promise<void> {
  await pushBatch(db, ZEEK, lines, NOW - SECOND);
  await settle(db, { now: NOW });
}

testDatabase("devices in cache: advanced batch by batch they are what the store says", async (db) => {
  const cache = new GraphCache();
  const compare = async () => {
    const { remembered, stored } = await devicesNow(db, cache);
    const sorted = (devices: typeof remembered) => [...devices].sort(([a], [b]) => a < b ? -1 : 1);
    assert.deepEqual(sorted(remembered), sorted(stored));
    return remembered;
  };
  let port = 1024;
  const traffic = (hosts: number[], vlan?: number) =>
    take(
      db,
      hosts.map((host) =>
        conn({
          src: `10.0.0.${host}`,
          srcPort: port++,
          at: NOW - 600 * SECOND + (port - 1024) * SECOND,
          more: { vlan },
        })
      ),
    );
  assert.equal((await compare()).size, 0);
  await traffic([1, 2, 3]);
  const three = await compare();
  assert.equal(three.size, 3);
  await traffic([2]);
  assert.equal(await compare(), three, "nothing that a graph shows has changed");
  await traffic([4]);
  assert.equal((await compare()).size, 4);
  await traffic([2], 7);
  assert.equal((await compare()).get("10.0.0.2")!.vlanId, 7);
  assert.equal((await compare()).get("10.0.0.1"), three.get("10.0.0.1"), "the others are not replaced");

  const idOf = (host: number) => three.get(`10.0.0.${host}`)!.deviceId;
  await db.tenant(
    "main",
    (tx) =>
      tx.run(
        sql`update device set merged_into = ${idOf(1)} where device_id = ${idOf(3)} and tenant_id = 'main'`,
      ),
  );
  const merged = await compare();
  assert.equal(merged.get("10.0.0.3"), merged.get("10.0.0.1"));
  // Either address may be the one that the device used last.
  await traffic([3]);
  assert.equal((await compare()).get("10.0.0.1")!.ip, "10.0.0.3");
  await traffic([1]);
  const last = await compare();
  assert.equal(last.get("10.0.0.3")!.ip, "10.0.0.1");
  assert.equal(last.get("10.0.0.3"), last.get("10.0.0.1"));
  await db.tenant(
    "main",
    (tx) =>
      tx.run(
        sql`update device set display_name = 'printer' where device_id = ${idOf(2)} and tenant_id = 'main'`,
      ),
  );
  assert.equal((await compare()).get("10.0.0.2")!.name, "printer");
});
