// A core's cache of seen flows and tuples saves most lookups, and never costs a record its flow: neither
// after eviction, nor when another core processed some of the batches.

import assert from "node:assert/strict";
import fc from "fast-check";
import { defaultSite } from "../../../src/config/sites.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { StateCache } from "../../../src/pipeline/state/state-cache.ts";
import { MAX_RECENT_FLOWS, RecentFlows } from "../../../src/pipeline/state/recent-flows.ts";
import { applyRound, prepareRound } from "../../../src/pipeline/run/round.ts";
import type { Round } from "../../../src/pipeline/stages/stage.ts";
import { MAX_SEEN_BYTES, SeenTuples } from "../../../src/pipeline/state/seen-tuples.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { CursorMoved } from "../../../src/store/record/pending.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { conn } from "../../contract/records.ts";
import { NOW } from "../../contract/api.ts";
import { freshDatabase, testDatabase } from "../../support/database.ts";
import { linesOfFiles, push, runRound, sensor, settle } from "../../support/record/pipeline.ts";
import { assertSameSnapshot, snapshot } from "../../support/record/snapshot.ts";

const DATA = new URL("../../data/", import.meta.url).pathname;
const MAIN = { tenantId: "main", settings: defaultSite("main") };
const ZEEK = sensor("zeek-1");
const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;
const SIZE = { batches: 1, records: 1000 };

/** Connections first, their further records later: each later record must find its flow stored rounds ago. */
async function records(): Promise<string[]> {
  const files = ["sample/brobeat/conn.log", "sample/brobeat/dns.log"];
  const later = ["captures/brobeat/http.log", "captures/brobeat/ssl.log"];
  const linesOf = (names: string[]) => linesOfFiles(...names.map((name) => DATA + name));
  return [...await linesOf(files), ...await linesOf(later)];
}

/** Processes the prepared batches, and one more that this core has not seen. */
async function otherCore(db: Database): Promise<void> {
  for (let n = 0; n < 3; n++) {
    await runRound(db, { tenantId: "main", settings: MAIN.settings, now: systemClock.now(), size: SIZE });
  }
}

/**
 * Processes everything with one cache of flows and tuples, preparing each round before the previous one is
 * written; in every fourth round another core is faster, unless `alone`.
 */
async function processAll(
  db: Database,
  seen: SeenTuples,
  recent: RecentFlows,
  alone = false,
): Promise<{ rounds: number; lost: number }> {
  let [rounds, lost] = [0, 0];
  const states = new StateCache();
  const prepare = (after: Round | null) =>
    prepareRound(db, { ...MAIN, previous: after, size: SIZE, states, recent, seen });
  let round = await prepare(null);
  while (round !== null) {
    const next = await prepare(round);
    if (++rounds % 4 === 0 && !alone) await otherCore(db);
    try {
      await applyRound(db, round, { now: systemClock.now() });
      states.committed(round.basis.last);
      round = next;
    } catch (error) {
      assert.ok(error instanceof CursorMoved, String(error));
      lost++;
      states.clear();
      recent.clear();
      round = await prepare(null);
    }
  }
  return { rounds, lost };
}

for (
  const { what, bytes, flows } of [
    { what: "all tuples seen", bytes: MAX_SEEN_BYTES, flows: MAX_RECENT_FLOWS },
    { what: "most of them evicted", bytes: 256, flows: MAX_RECENT_FLOWS },
    { what: "most flows evicted", bytes: MAX_SEEN_BYTES, flows: 4 },
  ]
) {
  testDatabase(`every record finds its flow, ${what}`, async (db) => {
    const lines = await records();
    const other = await freshDatabase();
    await registerTenants(other, ["main"]);
    await push(other, ZEEK, lines, 8);
    await settle(other, { batchesPerRound: 1 });
    const expected = await snapshot(other);
    await other.close();

    await registerTenants(db, ["main"]);
    await push(db, ZEEK, lines, 8);
    const { rounds, lost } = await processAll(db, new SeenTuples(bytes), new RecentFlows(flows));
    assert.ok(rounds > 20 && lost >= 5, `${lost} of ${rounds} rounds lost`);
    assertSameSnapshot(await snapshot(db), expected, "with what was seen");
  });
}

/**
 * Six hours of recurring tuples: a busy one, several with long gaps, and some with connections of hours. The
 * sensor repeats many a connection within the hour, and reports some late.
 */
function returning(seed: number): string[] {
  const emitted: { line: string; at: number }[] = [];
  const sample = (most: number, numRuns: number) =>
    fc.sample(fc.integer({ min: 0, max: most }), { seed: seed + most, numRuns });
  const add = (host: number, from: number, seconds: number, uid: string, late = 0) => {
    const at = NOW - 7 * HOUR + from * SECOND;
    const ends = { src: `10.0.0.${host}`, srcPort: 137, dstPort: 137 };
    emitted.push({ line: conn({ ...ends, at, seconds, more: { uid } }), at: from + seconds + late });
  };
  sample(40, 360).forEach((jitter, n) => {
    const late = jitter === 7 ? 3000 : 0;
    add(1, n * 60 + jitter, 2, `B${n}`, late);
    // Several records at once for a connection of long ago.
    if (n % 7 === 6 && n > 40) { for (const more of [0, 1, 2]) add(1, n * 60 + 20 + more, 2, `B${n - 40}`); }
  });
  for (let host = 10; host < 40; host++) {
    sample(21_000 + host, 10).forEach((from) => add(host, from, 5, `H${host}-${Math.floor(from / 3300)}`));
  }
  sample(15_000, 40).forEach((from, n) => add(50 + n % 4, from, n % 3 === 0 ? 6000 : 5, `L${n}`));
  return emitted.sort((one, other) => one.at - other.at).map(({ line }) => line);
}

testDatabase("recurring tuples join the same flows, whatever the cache retains", async (db) => {
  const lines = returning(db.engine === "pglite" ? 1 : 2);
  const other = await freshDatabase();
  await registerTenants(other, ["main"]);
  await push(other, ZEEK, lines, 8);
  // In one round all flows are present, and none is looked up.
  await settle(other, { batchesPerRound: 1000 });
  const expected = await snapshot(other);
  await other.close();
  assert.ok(expected.flow!.length < lines.length - 20, "some records must join others");

  await registerTenants(db, ["main"]);
  await push(db, ZEEK, lines, 8);
  await processAll(db, new SeenTuples(), new RecentFlows(60), true);
  assertSameSnapshot(await snapshot(db), expected, "flow by flow");
});

testDatabase("a record finds its flow after the core restarted", async (db) => {
  const lines = await records();
  await registerTenants(db, ["main"]);
  const early = lines.slice(0, 240);
  await push(db, ZEEK, early, 20);
  await processAll(db, new SeenTuples(), new RecentFlows());
  await push(db, ZEEK, lines.slice(240), 20);
  await processAll(db, new SeenTuples(), new RecentFlows());

  const other = await freshDatabase();
  await registerTenants(other, ["main"]);
  await push(other, ZEEK, early, 20);
  await push(other, ZEEK, lines.slice(240), 20);
  await settle(other);
  const expected = await snapshot(other);
  await other.close();
  assertSameSnapshot(await snapshot(db), expected, "with what was seen");
});

testDatabase("a round that fails during preparation leaves nothing behind", async (db) => {
  const lines = await records();
  const take = async (db: Database, failing: boolean) => {
    await registerTenants(db, ["main"]);
    await push(db, ZEEK, lines, 8);
    const [recent, seen] = [new RecentFlows(), new SeenTuples()];
    let states = new StateCache();
    const prepare = (after: Round | null) =>
      prepareRound(db, {
        ...MAIN,
        previous: after,
        size: { batches: 16, records: 4000 },
        states,
        recent,
        seen,
      });
    let rounds = 0;
    for (let round = await prepare(null); round !== null; rounds++) {
      if (failing) {
        states = new Unreadable();
        const failed = await prepare(round).catch((error: Error) => error.message);
        assert.ok(failed === "not now" || failed === null, "it did not fail");
        states = new StateCache();
      }
      await applyRound(db, round, { now: systemClock.now() });
      round = await prepare(round);
    }
    assert.ok(rounds > 3, `only ${rounds} rounds`);
    return await snapshot(db);
  };
  const other = await freshDatabase();
  const expected = await take(other, false);
  await other.close();
  assertSameSnapshot(await take(db, true), expected, "with what was prepared before it failed");
});

/** Fails after the records have been joined to flows. */
class Unreadable extends StateCache {
  override load(): Promise<void> {
    return Promise.reject(new Error("not now"));
  }
}
