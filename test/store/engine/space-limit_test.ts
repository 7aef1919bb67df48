import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { SpaceKeeper } from "../../../src/core/jobs/space-keeper.ts";
import { applySpaceLimit } from "../../../src/core/jobs/space-limit.ts";
import { type Logger, silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { createPartitions, partitionsOf } from "../../../src/store/engine/schema/partitions.ts";
import { storedBytes, storedSpace, trimDefaults } from "../../../src/store/engine/schema/space.ts";
import { identifier, sql } from "../../../src/store/engine/sql.ts";
import { PARTITIONED_TABLES } from "../../../src/store/engine/tables.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { Api, DAY, MINUTE, NOW, SURICATA } from "../../contract/api.ts";
import { alert } from "../../contract/records.ts";
import { testDatabases } from "../../support/database.ts";
import { settle } from "../../support/record/pipeline.ts";
import { testDatabase, testTwoCores } from "./one-database.ts";
import { commit, record } from "../record/records.ts";

const RETENTION = 30;
const HOUR = 60 * MINUTE;
const MIB = 1024 ** 2;
const BLOCK = PARTITIONED_TABLES.find(({ name }) => name === "raw_block")!;

/** Half a megabyte of incompressible records. */
function noise(name: string, at: number) {
  return Array.from({ length: 10 }, (_, index) => ({
    ...record(`${name} ${index}`, at),
    payload: JSON.stringify({ noise: randomBytes(40_000).toString("base64") }),
    unparsed: "for this test",
  }));
}

/** Five days with a megabyte each, received when observed; the last is today. */
async function fiveDays(db: Database): Promise<Api> {
  await registerTenants(db, ["main", "branch"]);
  const api = new Api(db);
  api.clock.advance(-4 * 86_400);
  for (let day = 4; day >= 0; day--) {
    const at = NOW - day * DAY;
    await createPartitions(db, at, RETENTION);
    for (const half of ["first", "second"]) {
      await commit(db, noise(half, at), at, day % 2 ? "branch" : "main");
    }
    if (day === 4) {
      await api.take(SURICATA, [1, 2, 3].map((n) => alert({ at: at - n * MINUTE, srcPort: 50_000 + n })));
    }
    if (day > 0) api.clock.advance(86_400);
  }
  for (const tenantId of ["main", "branch"]) await settle(db, { tenantId });
  return api;
}

async function incident(api: Api) {
  const ever = { from: "2025-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" };
  const [incident] = (await api.read("listIncidents", ever)).data;
  return (await api.read("getIncident", {}, {}, { incident_id: incident!.id })).data;
}

async function daysOf(db: Database, table: string): Promise<string[]> {
  const partitioned = PARTITIONED_TABLES.find(({ name }) => name === table)!;
  return (await partitionsOf(db, partitioned)).map((name) => name.slice(-4));
}

async function count(db: Database, table: string, tenantId = "main"): Promise<number> {
  const [row] = await db.tenant(
    tenantId,
    (tx) => tx.rows<{ n: number }>(sql`select count(*)::int as n from ${identifier(table)}`),
  );
  return row!.n;
}

testDatabases(
  "the oldest days are dropped down to the limit, and open evidence is copied out",
  async (db) => {
    const api = await fiveDays(db);
    const before = await incident(api);
    const total = await storedBytes(db);
    assert.ok(total > 5 * MIB);
    assert.deepEqual((await applySpaceLimit(db, NOW, total, null)).removed, { partitions: [], rows: 0 });

    const limit = total - MIB;
    const outcome = await applySpaceLimit(db, NOW, limit, null);
    assert.deepEqual(outcome.removed.partitions.filter((name) => name.startsWith("raw_block")).slice(0, 2), [
      "raw_block_20260126",
      "raw_block_20260127",
    ]);
    assert.equal(outcome.before, total);
    assert.ok(outcome.after <= limit * 0.95 && outcome.after === await storedBytes(db));
    assert.ok((await daysOf(db, "raw_block")).includes("0131"), "today stays");

    const after = await incident(api);
    assert.deepEqual(after.evidence, before.evidence);
    const { flow_id } = before.evidence[0]!;
    const shown = (await api.read("getFlowEvidence", {}, {}, { flow_id })).data;
    assert.ok(shown[0]!.raw, "including its record");
  },
);

testDatabase(
  "a day's bytes outlive the rows that refer to them, unless only today may stay",
  async (db) => {
    await fiveDays(db);
    const { unpartitioned } = await storedSpace(db);
    const days = () => Promise.all(["flow", "raw_record", "raw_block"].map((table) => daysOf(db, table)));
    // Today's partitions take about as much as what is not partitioned.
    const limit = unpartitioned * 1.5;
    const { removed, after } = await applySpaceLimit(db, NOW, limit, null);
    assert.ok(after > limit, "today alone is too much");
    const left = ["0131", "0201", "0202", "0203"];
    assert.deepEqual(await days(), [left, left, left]);
    assert.ok(removed.partitions.length > 4 * 4);
  },
);

testDatabase("unprocessed batches keep their bytes", async (db) => {
  await fiveDays(db);
  await db.tenant("branch", (tx) => tx.run(sql`update pipeline_cursor set batch_no = 0`));
  const { unpartitioned } = await storedSpace(db);
  await applySpaceLimit(db, NOW, unpartitioned * 2, null);
  assert.deepEqual((await daysOf(db, "flow"))[0], "0131");
  // January 28th is the first day with records of branch.
  assert.deepEqual((await daysOf(db, "raw_block")).filter((day) => day < "0131" && day > "0127"), [
    "0128",
    "0129",
    "0130",
  ]);
  assert.equal(await count(db, "raw_block", "branch"), 4);
});

testDatabase(
  "an unreachable limit drops nothing, is logged once, and is not retried for a while",
  async (db) => {
    await fiveDays(db);
    let now = NOW;
    const warned: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (message) => void warned.push(message) };
    const { unpartitioned } = await storedSpace(db);
    const keeper = new SpaceKeeper(unpartitioned, { db, clock: { now: () => now }, logger });
    const before = await daysOf(db, "flow");
    assert.equal(keeper.facts(), null);
    for (let round = 0; round < 3; round++) {
      assert.equal(await keeper.isDue(), true);
      await keeper.apply(now);
      assert.equal(await keeper.isDue(), false);
      now += 10 * MINUTE;
    }
    assert.deepEqual(await daysOf(db, "flow"), before);
    assert.deepEqual(warned, ["NDR_RETENTION_BYTES exceeded by data that must be kept"]);
    const facts = { limit: unpartitioned, bytes: await storedBytes(db), kept: false };
    assert.deepEqual(keeper.facts(), facts);
  },
);

testDatabase("a limit that is met is only measured", async (db) => {
  const keeper = new SpaceKeeper(100 * MIB, { db, clock: { now: () => NOW }, logger: silentLogger });
  assert.equal(await keeper.isDue(), false);
  assert.deepEqual(keeper.facts(), { limit: 100 * MIB, bytes: await storedBytes(db), kept: true });
});

/** Recordings of 2017, so all but their bytes are in default partitions; one per hour, the last one now. */
async function recordings(db: Database, hours: number): Promise<void> {
  await registerTenants(db, ["main"]);
  await createPartitions(db, NOW, RETENTION);
  for (let hour = hours - 1; hour >= 0; hour--) {
    const old = Array.from({ length: 1000 }, (_, i) => record(`${hour} ${i}`, NOW - 3000 * DAY - i * MINUTE));
    await commit(db, old, NOW - hour * HOUR);
  }
}

testDatabases(
  "rows of default partitions are trimmed by receipt, and the others stay unchanged",
  async (db) => {
    await recordings(db, 6);
    await db.tenant(
      "main",
      (tx) => tx.run(sql`insert into pipeline_cursor (tenant_id, batch_no) values ('main', 6)`),
    );
    const total = await storedBytes(db);
    const limit = total - 300_000;
    const none = await applySpaceLimit(db, NOW, limit, 1000);
    assert.deepEqual(
      [none.removed.rows, none.after > limit],
      [0, true],
      "not enough space to rewrite the remaining rows",
    );

    const { removed, after } = await applySpaceLimit(db, NOW, limit, null);
    assert.ok(
      removed.rows >= 1000 && removed.rows <= 5000 && removed.rows % 1000 === 0,
      String(removed.rows),
    );
    assert.deepEqual(removed.partitions, []);
    assert.ok(after <= limit, `${after} of ${limit}`);
    assert.equal(await count(db, "raw_record"), 6000 - removed.rows);
    assert.equal(await count(db, "raw_record", "branch"), 0, "other tenants do not see them");
    const last = Array.from({ length: 1000 }, (_, i) => record(`0 ${i}`, NOW - 3000 * DAY - i * MINUTE));
    assert.equal((await commit(db, last, NOW)).duplicates, 1000, "retries are duplicates");
    assert.equal((await commit(db, [record("one more", NOW - 3000 * DAY)], NOW)).accepted, 1);
    const made = await createPartitions(db, NOW - 3000 * DAY, RETENTION);
    assert.ok(made.length > 0, "it still is a default partition");
    assert.equal(await count(db, "raw_record"), 6001 - removed.rows);
  },
);

testTwoCores(
  "a long reader defers the trimming of default partitions to the next round",
  async (db, other) => {
    await recordings(db, 3);
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reading = other.owner(async (tx) => {
      await tx.script("lock table raw_record_default in access share mode");
      held.resolve();
      await released.promise;
    });
    await held.promise;
    assert.equal(await trimDefaults(db, NOW - HOUR), 0);
    assert.equal(await count(db, "raw_record"), 3000);
    released.resolve();
    await reading;
    assert.equal(await trimDefaults(db, NOW - HOUR), 1000);
    assert.equal(await count(db, "raw_record"), 2000);
  },
);

testDatabases("a trimmed default partition keeps its storage settings", async (db) => {
  await recordings(db, 2);
  const settings = () =>
    db.owner((tx) => tx.rows(sql`select reloptions from pg_class where relname = 'raw_record_default'`));
  await db.owner((tx) => tx.script("alter table raw_record_default set (fillfactor = 80)"));
  const before = await settings();
  assert.equal(await trimDefaults(db, NOW - HOUR / 2), 1000);
  assert.deepEqual(await settings(), before);
});

testDatabase("sizes include every table with its indexes, by day", async (db) => {
  await fiveDays(db);
  const space = await storedSpace(db);
  const [all] = await db.owner((tx) =>
    tx.rows<{ bytes: number }>(sql`select pg_database_size(current_database())::bigint as bytes`)
  );
  assert.ok(space.total < all!.bytes, "catalogs do not count");
  const blocks = space.days.filter(({ table }) => table.name === BLOCK.name);
  const full = blocks.filter(({ bytes }) => bytes > MIB / 2).map(({ day }) => (NOW - day) / DAY | 0).sort();
  assert.deepEqual(full, [0, 1, 2, 3, 4]);
  const parts = [...space.days, ...space.hours].reduce((sum, { bytes }) => sum + bytes, 0);
  assert.ok(space.unpartitioned > 0 && space.unpartitioned < MIB * 4);
  assert.ok(
    Math.abs(space.total - space.unpartitioned - parts) < MIB,
    "only empty default partitions are left out",
  );
});
