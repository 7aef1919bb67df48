import assert from "node:assert/strict";
import type { Database } from "../../../src/store/engine/database.ts";
import {
  createPartitions,
  dropPartitions,
  partitionsOf,
} from "../../../src/store/engine/schema/partitions.ts";
import { expireDefaults } from "../../../src/store/upkeep/retention.ts";
import { identifier, sql } from "../../../src/store/engine/sql.ts";
import { PARTITIONED_TABLES } from "../../../src/store/engine/tables.ts";
import { testDatabases } from "../../support/database.ts";
import { testDatabase, testTwoCores } from "./one-database.ts";
import { commit, DAY, NOON, record } from "../record/records.ts";

const RETENTION = 30;
const TABLES = PARTITIONED_TABLES.length;
const RAW = PARTITIONED_TABLES.find((table) => table.name === "raw_record")!;
const DAYS = ["20260130", "20260131", "20260201", "20260202", "20260203"];

async function countIn(db: Database, table: string): Promise<number> {
  const [row] = await db.owner((tx) =>
    tx.rows<{ n: number }>(sql`select count(*)::int as n from ${identifier(table)}`)
  );
  return row!.n;
}

testDatabase("partitions are created once, from yesterday to three days ahead", async (db) => {
  const made = await createPartitions(db, NOON, RETENTION);
  assert.deepEqual(
    [...made].sort(),
    PARTITIONED_TABLES.flatMap(({ name }) => DAYS.map((day) => `${name}_${day}`)).sort(),
  );
  assert.deepEqual(await createPartitions(db, NOON, RETENTION), []);
  assert.deepEqual((await createPartitions(db, NOON + DAY, RETENTION)).length, PARTITIONED_TABLES.length);

  const midnight = NOON + DAY / 2;
  await commit(db, [record("last", midnight - 1), record("first", midnight)]);
  assert.equal(await countIn(db, "raw_record_20260131"), 1);
  assert.equal(await countIn(db, "raw_record_20260201"), 1);
  assert.equal(await countIn(db, "raw_block_20260131"), 1, "a block is partitioned by its receipt");
});

testDatabases("a day partition has the settings of the default partition", async (db) => {
  await db.owner((tx) =>
    tx.script("alter table evidence_default set (fillfactor = 55, autovacuum_enabled = off)")
  );
  await createPartitions(db, NOON, RETENTION);
  const rows = await db.owner((tx) =>
    tx.rows<{ name: string; settings: string | null }>(sql`
      select relname as name, array_to_string(reloptions, ' ') as settings from pg_class
      where relname like '%\\_20260131' and relkind = 'r' order by relname`)
  );
  assert.deepEqual(rows.map(({ name, settings }) => [name.replace(/_\d+$/, ""), settings]), [
    ["dns_answer", "fillfactor=70"],
    ["evidence", "fillfactor=55 autovacuum_enabled=off"],
    ["flow", "fillfactor=80"],
    ["flow_term", null],
    ["raw_block", null],
    ["raw_record", null],
    ["term", "fillfactor=80"],
  ]);
});

testDatabase("rows of a wild clock go to the default partition and create no day", async (db) => {
  await createPartitions(db, NOON, RETENTION);
  const wild = [-62_135_596_800_000_000, 0, NOON - 31 * DAY, NOON + 4 * DAY, 253_402_300_799_000_000];
  await commit(db, wild.map((at) => record("wild", at)));
  assert.equal(await countIn(db, "raw_record_default"), wild.length);
  assert.deepEqual(await createPartitions(db, NOON, RETENTION), []);
  const again = await commit(db, wild.map((at) => record("wild", at)));
  assert.deepEqual([again.accepted, again.duplicates], [0, wild.length]);
});

testDatabases(
  "a late day partition takes over its rows, and retries are still duplicates",
  async (db) => {
    const records = [
      record("a", NOON - 10 * DAY),
      record("b", NOON - 10 * DAY),
      record("c", NOON - 20 * DAY),
    ];
    await commit(db, records);
    assert.equal(await countIn(db, "raw_record_default"), 3);
    assert.equal((await commit(db, records)).duplicates, 3, "before the move");

    const made = await createPartitions(db, NOON, RETENTION);
    assert.deepEqual(made.filter((name) => name < "raw_record_20260130" && name > "raw_record"), [
      "raw_record_20260111",
      "raw_record_20260121",
    ]);
    assert.equal(await countIn(db, "raw_record_default"), 0);
    assert.equal(await countIn(db, "raw_record_20260121"), 2);
    assert.equal((await commit(db, records)).duplicates, 3, "after the move");
    assert.equal(await countIn(db, "raw_record"), 3);
  },
);

testDatabase("retention drops whole days, and bytes later than the rows that refer to them", async (db) => {
  await createPartitions(db, NOON - 40 * DAY, RETENTION);
  await createPartitions(db, NOON, RETENTION);
  await commit(db, [record("old", NOON - 40 * DAY)], NOON - 40 * DAY);
  await commit(db, [record("new")]);

  // Thirty days before January 31st is January 1st, which has no partition here.
  const before = await partitionsOf(db, RAW);
  assert.deepEqual(
    before.slice(0, 5),
    ["20251221", "20251222", "20251223", "20251224", "20251225"].map((day) => `raw_record_${day}`),
  );
  const first = NOON - 40 * DAY + RETENTION * DAY;
  assert.deepEqual(await dropPartitions(db, first - DAY, RETENTION), [], "the thirtieth day is kept");
  assert.deepEqual(
    await dropPartitions(db, first, RETENTION),
    ["flow_term", "term", "dns_answer", "flow", "evidence", "raw_record"].map((name) => `${name}_20251221`),
  );
  assert.equal((await dropPartitions(db, NOON, RETENTION)).length, TABLES * 5 - 6);
  assert.deepEqual(await partitionsOf(db, RAW), DAYS.map((day) => `raw_record_${day}`));
  assert.equal(await countIn(db, "raw_record"), 1);
  assert.equal(await countIn(db, "raw_block"), 1);
});

testDatabase("rows of the default partitions expire by receipt", async (db) => {
  await commit(db, [record("recording of 2017", NOON - 3000 * DAY)], NOON);
  await commit(db, [record("clock ahead", NOON + 3000 * DAY)], NOON - 31 * DAY);
  assert.equal(await expireDefaults(db, NOON, RETENTION), 1, "its block stays a little longer");
  const rows = await db.tenant("main", (tx) => tx.rows(sql`select observed_at from raw_record`));
  assert.deepEqual(rows, [{ observed_at: NOON - 3000 * DAY }]);
  assert.equal(await expireDefaults(db, NOON + 40 * DAY, RETENTION), 3);
});

/** Holds a lock in an open transaction until the returned function is called. */
async function holding(db: Database, table: string, mode: "access share" | "row exclusive") {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const ended = db.owner(async (tx) => {
    await tx.script(`lock table ${table} in ${mode} mode`);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return async () => {
    released.resolve();
    await ended;
  };
}

async function waitingFor(db: Database, statement: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const rows = await db.owner((tx) =>
      tx.rows(sql`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and strpos(query, ${statement}) > 0`)
    );
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`no connection waits with ${statement}`);
}

testTwoCores(
  "a long reader blocks neither drops of other tables nor the next round",
  async (db, other) => {
    await createPartitions(db, NOON - 40 * DAY, RETENTION);
    const release = await holding(other, "evidence_20251222", "access share");
    const dropped = await dropPartitions(db, NOON, RETENTION);
    await release();

    const days = (table: string) =>
      dropped.filter((name) => name.startsWith(`${table}_2`)).map((name) => name.slice(-8));
    assert.equal(days("flow").length, 5);
    assert.deepEqual(days("evidence"), ["20251221"]);
    assert.deepEqual(days("raw_record"), ["20251221"], "a day's keys outlive the rows derived from it");
    assert.equal((await dropPartitions(db, NOON, RETENTION)).length, TABLES * 5 - dropped.length);
  },
);

testTwoCores(
  "a long reader blocks neither days of other tables nor the next round",
  async (db, other) => {
    const release = await holding(other, "evidence_default", "access share");
    const made = await createPartitions(db, NOON, RETENTION);
    await release();
    assert.equal(made.length, (TABLES - 1) * 5);
    assert.deepEqual(
      (await createPartitions(db, NOON, RETENTION)).sort(),
      DAYS.map((day) => `evidence_${day}`),
    );
  },
);

testTwoCores("a batch whose day is created meanwhile is stored once", async (db, other) => {
  // Yesterday's partition is created first, during the insert.
  const batch = [record("a", NOON - DAY), record("b", NOON - DAY)];
  const release = await holding(other, "raw_record_default", "row exclusive");
  const making = createPartitions(db, NOON, RETENTION);
  await waitingFor(other, "lock table");
  const storing = commit(other, batch);
  await waitingFor(other, "insert into raw_record");
  await release();

  assert.ok((await making).includes("raw_record_20260130"));
  assert.equal((await storing).accepted, 2);
  assert.equal(await countIn(db, "raw_record_default"), 0);
  assert.equal((await commit(db, batch)).duplicates, 2);
});

testTwoCores("cores with concurrent upkeep create each day once", async (db, other) => {
  const made = await Promise.all([
    createPartitions(db, NOON, RETENTION),
    createPartitions(other, NOON, RETENTION),
  ]);
  assert.equal(new Set(made.flat()).size, TABLES * 5);
  assert.equal((await partitionsOf(db, RAW)).length, 5);
});
