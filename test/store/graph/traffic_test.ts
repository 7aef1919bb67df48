import assert from "node:assert/strict";
import { MINUTE, type PairTraffic } from "../../../src/domain/graph/traffic.ts";
import { expireTraffic, TRAFFIC_KEPT, trafficOf, trafficOfFlows } from "../../../src/store/graph/traffic.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { readCursor } from "../../../src/store/record/pending.ts";
import { conn, dns, eveFlow } from "../../contract/records.ts";
import { NOW, SECOND } from "../../contract/api.ts";
import { testDatabases } from "../../support/database.ts";
import { linesOfFiles, push, pushBatch, sensor, settle } from "../../support/record/pipeline.ts";
import { snapshot } from "../../support/record/snapshot.ts";

const ZEEK = sensor("zeek-1");
const SURICATA = sensor("suricata-1");
const DATA = new URL("../../data/", import.meta.url).pathname;
const EVER = { from: 0, to: 4_000_000_000_000_000 };

function inOrder(pairs: readonly PairTraffic[]) {
  return pairs.map((pair) => ({ ...pair, services: [...pair.services].sort() }))
    .sort((a, b) => `${a.low} ${a.high}` < `${b.low} ${b.high}` ? -1 : 1);
}

async function traffic(db: Database, through: number | null = null) {
  return inOrder(await db.tenant("main", (tx) => trafficOf(tx, "main", EVER, { through })));
}

testDatabases(
  "the rollups of a capture are the traffic of its flows, however it is divided into rounds",
  async (db) => {
    const folder = `${DATA}captures/two-sensors/`;
    await push(db, ZEEK, await linesOfFiles(`${folder}conn.log`), 50);
    await push(db, SURICATA, await linesOfFiles(`${DATA}sample/cdmcs/eve.ndjson.gz`), 200);
    await settle(db, { batchesPerRound: 3 });
    const flows = inOrder(await db.tenant("main", (tx) => trafficOfFlows(tx, "main", EVER)));
    assert.ok(flows.length > 20);
    assert.deepEqual(await traffic(db), flows);
    // Minute by minute, too.
    assert.ok((await snapshot(db)).graph_traffic!.length > flows.length);
  },
);

testDatabases("rollups: the state after every earlier batch can be read again", async (db) => {
  const start = NOW - 10 * MINUTE;
  const batches = [
    [conn({ at: start, seconds: 1 }), dns({ at: start })],
    // The same connection, by a record that is more complete and by another sensor.
    [conn({ at: start, seconds: 300, more: { orig_bytes: 9_000_000_000_000_000, resp_bytes: 7 } })],
    [eveFlow({ at: start + SECOND, src: "10.0.0.9", dst: "10.0.0.5" })],
    [conn({ at: start + 2 * MINUTE, srcPort: 50_001, more: { service: "http" } })],
  ];
  const states = [];
  for (const lines of batches) {
    await pushBatch(db, lines === batches[2] ? SURICATA : ZEEK, lines, NOW);
    await settle(db, { now: NOW });
    states.push({
      batchNo: (await db.tenant("main", (tx) => readCursor(tx, "main"))).batchNo,
      traffic: await traffic(db),
    });
  }
  for (const state of states) assert.deepEqual(await traffic(db, state.batchNo), state.traffic);
  assert.deepEqual(states[0]!.traffic.map(({ high }) => high), ["10.0.0.53", "198.51.100.7"]);
  const last = states.at(-1)!.traffic.find(({ high }) => high === "198.51.100.7");
  assert.deepEqual(last, {
    low: "10.0.0.5",
    high: "198.51.100.7",
    bytesUp: 1125899906842624 + 500,
    bytesDown: 7 + 4000,
    packets: 34,
    flows: 2,
    firstSeen: start,
    lastSeen: start + 5 * MINUTE,
    services: [["http", 1], ["ssl", 1]],
  });
  const later = await db.tenant("main", (tx) => trafficOf(tx, "main", { from: start + MINUTE, to: NOW }));
  assert.deepEqual(later.map(({ flows, bytesUp }) => [flows, bytesUp]), [[1, 500]]);
});

testDatabases("rollups expire when no map and no stream can show them", async (db) => {
  const ages = [0, TRAFFIC_KEPT, TRAFFIC_KEPT + 61 * MINUTE];
  await pushBatch(db, ZEEK, ages.map((age, at) => conn({ at: NOW - age, srcPort: 50_000 + at })), NOW);
  await settle(db, { now: NOW });
  await db.tenant("main", (tx) => expireTraffic(tx, "main", NOW));
  const rows = await db.tenant(
    "main",
    (tx) => tx.rows<{ minute: number }>(sql`select minute from graph_traffic order by minute desc`),
  );
  assert.deepEqual(rows.map(({ minute }) => minute), [NOW, NOW - TRAFFIC_KEPT]);
});

testDatabases("rollups of one tenant are not visible to another", async (db) => {
  await pushBatch(db, ZEEK, [conn()], NOW);
  await settle(db, { now: NOW });
  assert.deepEqual(await db.tenant("branch", (tx) => trafficOf(tx, "branch", EVER)), []);
  assert.deepEqual(await db.tenant("branch", (tx) => trafficOf(tx, "main", EVER)), []);
});
