// Aggregates from the rollups are those from the flows, whatever their windows cut.

import assert from "node:assert/strict";
import type { Condition } from "../../../src/contract/filter/tree.ts";
import { MINUTE } from "../../../src/domain/graph/traffic.ts";
import { planSearch } from "../../../src/domain/search/plan.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { aggregateTraffic } from "../../../src/store/graph/traffic-aggregate.ts";
import { aggregate, type Aggregation } from "../../../src/store/search/aggregate.ts";
import { NOW, SECOND } from "../../contract/api.ts";
import { conn, eveFlow } from "../../contract/records.ts";
import { testDatabases } from "../../support/database.ts";
import { pushBatch, sensor, settle } from "../../support/record/pipeline.ts";
import { scaled } from "../../support/scale.ts";

const ZEEK = sensor("zeek-1");
const SURICATA = sensor("suricata-1");
const HOUR = 60 * MINUTE;
const CONNECTIONS = 60;

const GROUPS: Aggregation["by"][] = [
  [],
  ["service"],
];
function seeded(seed: number): () => number {
  return () => (seed = Math.imul(seed, 1_103_515_245) + 12_345 >>> 0) / 2 ** 32;
}

/** Connections of several hours; half of them are seen again, by another sensor, from earlier or until later. */
async function fill(db: Database, random: () => number): Promise<number[]> {
  const upTo = (most: number) => Math.floor(random() * most);
  const starts: number[] = [];
  for (let batch = 0; batch < 4; batch++) {
    const lines = { zeek: [] as string[], suricata: [] as string[] };
    for (let at = 0; at < CONNECTIONS / 4; at++) {
      const start = NOW - 5 * HOUR + upTo(300) * MINUTE + (random() < 0.2 ? 0 : upTo(MINUTE));
      const ends = {
        src: `10.0.0.${1 + upTo(3)}`,
        dst: random() < 0.2 ? `10.0.0.${1 + upTo(3)}` : `192.0.2.${upTo(6)}`,
        srcPort: 20_000 + batch * 100 + at,
      };
      const more = {
        service: ["ssl", "http", "http,dns", undefined][upTo(4)],
        orig_bytes: [0, 5, 1_000_000, undefined][upTo(4)],
      };
      lines.zeek.push(conn({ ...ends, at: start, seconds: 1 + upTo(90), more }));
      const earlier = start - upTo(3 * MINUTE);
      const seconds = Math.ceil((start - earlier) / SECOND) + 1;
      if (random() < 0.5) lines.suricata.push(eveFlow({ ...ends, at: earlier, seconds }));
      starts.push(start, earlier);
    }
    await pushBatch(db, ZEEK, lines.zeek, NOW - SECOND);
    await settle(db, { now: NOW });
    await pushBatch(db, SURICATA, lines.suricata, NOW - SECOND);
    await settle(db, { now: NOW });
  }
  return starts;
}

testDatabases("aggregates from rollups are those from flows", async (db) => {
  const seed = Number(Deno.env.get("NDR_TEST_SEED") ?? Math.floor(Math.random() * 2 ** 31));
  const random = seeded(seed);
  const starts = await fill(db, random);
  const [{ moved }] = await db.tenant("main", (tx) =>
    tx.rows<{ moved: number }>(sql`
      select count(*)::integer as moved from flow
      where date_bin('1 minute', start_at, 'epoch') <> date_bin('1 minute', anchor_at, 'epoch')`)) as [
      { moved: number },
    ];
  assert.ok(moved >= 5, "some flows have their anchor in another minute than their start");
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  /** Often exactly where a flow begins. */
  const edge = () => pick(starts) + pick([0, 0, 1, -1, Math.floor(random() * MINUTE)]);
  const window = () => {
    for (;;) {
      const [from, to] = [edge(), edge()];
      if (to - from >= 1.5 * HOUR) return { from, to };
    }
  };
  for (let round = 0; round < scaled(25); round++) {
    const aggregation = {
      by: pick(GROUPS),
      measure: pick(["count", "bytes", "packets"] as const),
      top: pick([2, 100]),
      bucket: null,
    };
    const plan = {
      ...planSearch({ version: 1, kind: "flows", where: null, window: null, zone: "UTC" }, {
        now: NOW,
        vlans: [],
      }),
      window: window(),
    };
    const [fromRollups, fromFlows] = await db.tenant("main", async (tx) => [
      await aggregateTraffic(tx, "main", plan, aggregation),
      await aggregate(tx, "main", plan, aggregation),
    ]);
    const { window: { from, to } } = plan;
    assert.deepEqual(fromRollups, fromFlows, JSON.stringify({ seed, from, to, aggregation }));
  }
});

testDatabases("rollups do not answer what they cannot say exactly", async (db) => {
  await pushBatch(db, ZEEK, [conn({ at: NOW - HOUR, more: { orig_bytes: 2 ** 52 } })], NOW - SECOND);
  await settle(db, { now: NOW });
  const ask = async (change: Partial<Aggregation>, where: Condition | null = null, hours = 3) => {
    const filter = { version: 1, kind: "flows", where, window: null, zone: "UTC" } as const;
    const plan = {
      ...planSearch(filter, { now: NOW, vlans: [] }),
      window: { from: NOW - hours * HOUR, to: NOW },
    };
    const aggregation: Aggregation = { by: ["service"], measure: "count", top: 10, bucket: null, ...change };
    return await db.tenant("main", (tx) => aggregateTraffic(tx, "main", plan, aggregation));
  };
  assert.equal((await ask({}))!.groups.length, 1);
  assert.equal(await ask({ measure: "bytes" }), null, "a counter that the rollups limit");
  assert.equal(await ask({ measure: "src.bytes" }), null);
  assert.equal(await ask({ by: ["src.ip"] }), null);
  assert.equal(await ask({ by: ["device"] }), null);
  assert.equal(await ask({ bucket: HOUR }), null, "flows count by their start");
  assert.equal(await ask({}, { field: "ip", op: "matches", value: "10.0.0.5" }), null);
  assert.equal(await ask({}, null, 0.5), null, "as fast from flows");
  assert.equal(await ask({}, null, 30), null, "older than the rollups");
});
