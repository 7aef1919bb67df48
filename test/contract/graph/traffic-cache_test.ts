import assert from "node:assert/strict";
import { TrafficCache } from "../../../src/core/graph/traffic-cache.ts";
import { type AddressTraffic, addressTraffic } from "../../../src/domain/graph/traffic-table.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { graphVersion } from "../../../src/store/graph/position.ts";
import { trafficOf } from "../../../src/store/graph/traffic.ts";
import { testDatabase } from "../../support/database.ts";
import { pushBatch, sensor, settle } from "../../support/record/pipeline.ts";
import { MINUTE, NOW, SECOND } from "../api.ts";
import { conn, dns } from "../records.ts";

const ZEEK = sensor("zeek-1");

/** One row for each pair, in order. */
function shown({ addresses, table }: AddressTraffic) {
  const each = Array.from({ length: table.size }, () => ({ services: [] as [string, number][] }));
  const { size, entry, service, flows, names } = table.services;
  for (let row = 0; row < size; row++) {
    if (flows[row]! > 0) each[entry[row]!]!.services.push([names[service[row]!]!, flows[row]!]);
  }
  return each.map(({ services }, at) => ({
    pair: `${addresses[table.low[at]!]} ${addresses[table.high[at]!]}`,
    ...table.traffic(at),
    services: services.sort(),
  })).sort((a, b) => a.pair < b.pair ? -1 : 1);
}

/** Compares the cache with the store, for several windows and all batches so far. */
async function compare(db: Database, cache: TrafficCache, tenantId = "main"): Promise<number> {
  const version = await db.tenant(tenantId, (tx) => graphVersion(tx, tenantId));
  const { batchNo } = version;
  let pairs = 0;
  for (const minutes of [1, 15, 60, 24 * 60]) {
    for (let through = Math.max(0, batchNo - 3); through <= batchNo; through++) {
      const window = { from: NOW - minutes * MINUTE, to: NOW + MINUTE };
      await db.tenant(tenantId, async (tx) => {
        const sum = await cache.sum(tx, tenantId, window, { through, version, now: NOW });
        const rows = await trafficOf(tx, tenantId, window, { through });
        assert.deepEqual(shown(sum), shown(addressTraffic(rows)), `${minutes} min through ${through}`);
        pairs += sum.table.size;
      });
    }
  }
  return pairs;
}

/** Random connections, some of which are reported again with more bytes. */
function lines(round: number, random: () => number): string[] {
  return Array.from({ length: 12 }, (_, at) => {
    const start = NOW - Math.floor(random() * 50) * MINUTE;
    const src = `10.0.0.${1 + Math.floor(random() * 4)}`;
    if (at % 4 === 0) return dns({ at: start });
    return conn({
      at: start,
      src,
      dst: `192.0.2.${Math.floor(random() * 5)}`,
      srcPort: 50_000 + Math.floor(random() * 20),
      seconds: 1 + round,
      more: { orig_bytes: Math.floor(random() * 1e6) },
    });
  });
}

function seeded(seed: number): () => number {
  return () => (seed = Math.imul(seed, 1_103_515_245) + 12_345 >>> 0) / 2 ** 32;
}

testDatabase("rollups in cache: advanced batch by batch they are what the store says", async (db) => {
  const random = seeded(7);
  const cache = new TrafficCache();
  for (let round = 0; round < 6; round++) {
    await pushBatch(db, ZEEK, lines(round, random), NOW - SECOND);
    await settle(db, { now: NOW });
    assert.ok(await compare(db, cache) > 0);
  }
  // A core that started later.
  await compare(db, new TrafficCache());
  assert.ok(cache.bytes > 0);
});

testDatabase("rollups in cache: those of one tenant are not visible to another", async (db) => {
  const cache = new TrafficCache();
  await pushBatch(db, ZEEK, lines(0, seeded(1)), NOW - SECOND);
  await settle(db, { now: NOW });
  assert.ok(await compare(db, cache) > 0);
  assert.equal(await compare(db, cache, "branch"), 0);
});

testDatabase("rollups in cache: more than there is room for come from the store", async (db) => {
  const cache = new TrafficCache({ maxBytes: 0 });
  await pushBatch(db, ZEEK, lines(0, seeded(2)), NOW - SECOND);
  await settle(db, { now: NOW });
  assert.ok(await compare(db, cache) > 0);
  assert.equal(cache.bytes, 0);
});

testDatabase("rollups in cache: forgotten when no one asks", async (db) => {
  let now = 0;
  const cache = new TrafficCache({ now: () => now });
  await pushBatch(db, ZEEK, lines(0, seeded(3)), NOW - SECOND);
  await settle(db, { now: NOW });
  await compare(db, cache);
  const before = cache.bytes;
  now += 11 * 60_000;
  await compare(db, cache, "branch");
  assert.ok(cache.bytes < before);
  await compare(db, cache);
});

testDatabase("rollups in cache: those of a table that was filled again are read again", async (db) => {
  const cache = new TrafficCache();
  await pushBatch(db, ZEEK, lines(0, seeded(4)), NOW - SECOND);
  await settle(db, { now: NOW });
  await compare(db, cache);
  // As a restored dump that has other rows of the same batches.
  await db.owner((tx) =>
    tx.script(`
      create temporary table other as select * from graph_traffic;
      update other set bytes_up = bytes_up + 1;
      truncate graph_traffic;
      insert into graph_traffic select * from other;
      drop table other;
    `)
  );
  assert.ok(await compare(db, cache) > 0);
});

testDatabase("rollups in cache: those of batches that are gone are read again", async (db) => {
  let now = 0;
  const cache = new TrafficCache({ now: () => now });
  for (let round = 0; round < 2; round++) {
    await pushBatch(db, ZEEK, lines(round, seeded(5 + round)), NOW - SECOND);
    await settle(db, { now: NOW });
  }
  await compare(db, cache);
  await db.owner((tx) =>
    tx.script(`
      delete from graph_traffic where batch_no > 1;
      update graph_traffic set bytes_up = bytes_up + 1;
      update pipeline_cursor set batch_no = 1;
    `)
  );
  // Until then, the transaction could be older than the cache.
  now += 60_000;
  assert.ok(await compare(db, cache) > 0);
});
