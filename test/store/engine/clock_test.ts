// Stored data is deleted by a time that is known to have come, never by a clock alone.

import assert from "node:assert/strict";
import { EventLogKeeper } from "../../../src/core/jobs/event-log-keeper.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { appendEvents } from "../../../src/store/connector/event-log.ts";
import { createPartitions, partitionsOf } from "../../../src/store/engine/schema/partitions.ts";
import { identifier, sql } from "../../../src/store/engine/sql.ts";
import { PARTITIONED_TABLES } from "../../../src/store/engine/tables.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { addAudit } from "../../../src/store/session/audit.ts";
import { claimKey } from "../../../src/store/session/idempotency.ts";
import { createSession } from "../../../src/store/session/sessions.ts";
import { Api, DAY, NOW, SURICATA, ZEEK } from "../../contract/api.ts";
import { alert, conn } from "../../contract/records.ts";
import { auditRow } from "../../contract/session/audit.ts";
import { testDatabases } from "../../support/database.ts";
import { scaled } from "../../support/scale.ts";
import { Machine } from "../../support/store/machine.ts";
import { commit, record } from "../record/records.ts";
import { testDatabase, testTwoCores } from "./one-database.ts";

const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;
const LEAP = 40 * DAY;
const [, FLOW] = PARTITIONED_TABLES;
/** Tables with rows that some job deletes by age. */
const AGEING = [
  "flow",
  "evidence",
  "raw_record",
  "raw_block",
  "raw_batch",
  "rejected_line",
  "audit",
  "event_log",
  "idempotency",
];

async function count(db: Database, table: string): Promise<number> {
  const [row] = await db.tenant(
    "main",
    (tx) => tx.rows<{ n: number }>(sql`select count(*)::int as n from ${identifier(table)}`),
  );
  return row!.n;
}

async function counts(db: Database): Promise<Record<string, number>> {
  const entries = await Promise.all(AGEING.map(async (table) => [table, await count(db, table)] as const));
  const [sessions] = await db.shared((tx) =>
    tx.rows<{ n: number }>(sql`select count(*)::int as n from session`)
  );
  return { ...Object.fromEntries(entries), session: sessions!.n };
}

/** Stores something of each kind that ages. */
async function fill(db: Database): Promise<void> {
  await registerTenants(db, ["main"]);
  await createPartitions(db, NOW, 30);
  const api = new Api(db);
  await api.take(ZEEK, [conn(), "{"]);
  await api.take(SURICATA, [alert({ at: NOW })]);
  await db.tenant("main", async (tx) => {
    await addAudit(tx, "main", auditRow({ at: NOW - 370 * DAY }));
    await appendEvents(tx, "main", [{
      eventId: `evt_${"0".repeat(32)}`,
      type: "test",
      occurredAt: NOW,
      body: {},
    }]);
    await claimKey(tx, {
      tenantId: "main",
      subject: "ada",
      key: "key",
      fingerprint: "f",
      claimId: crypto.randomUUID(),
      now: NOW,
      leaseUntil: NOW + 5 * 60 * SECOND,
      expiresAt: NOW + DAY,
    });
  });
  const session = {
    token_hash: "a".repeat(64),
    subject: "ada",
    display_name: "Ada",
    claims: {},
    selected_tenant: null,
    csrf_token: "c".repeat(43),
    grants: [],
    provider_session: null,
    provider_state: null,
  };
  await db.shared((tx) => createSession(tx, crypto.randomUUID(), session, NOW, NOW + DAY / 2));
}

testDatabases("a core whose clock is 40 days ahead for 6 seconds loses nothing", async (db) => {
  await fill(db);
  const machine = new Machine(NOW + HOUR);
  const keeper = machine.keeper(db);
  const upkeep = machine.upkeep(db, keeper);
  const events = new EventLogKeeper({ db, clock: machine.clock, logger: silentLogger });
  // Enough running time to drop two days at once.
  for (let hour = 0; hour < 6; hour++) {
    machine.run(HOUR);
    await upkeep.run();
  }
  await db.shared((tx) => tx.run(sql`update clock_state set drop_credit_us = ${2 * DAY}::bigint`));
  const before = await counts(db);
  for (const table of Object.keys(before)) assert.ok(before[table]! > 0, `${table} has rows`);
  for (let leap = 0; leap < scaled(2); leap++) {
    machine.set(LEAP);
    machine.run(6 * SECOND);
    await upkeep.run();
    await events.run();
    assert.match(keeper.facts()!.doubt!, /^the clock is 40 d ahead of the latest time known to have come/);
    assert.deepEqual(await counts(db), before, "while it is ahead");
    machine.set(-LEAP);
    await upkeep.run();
    assert.equal(keeper.facts()!.doubt, null);
    assert.deepEqual(await counts(db), before, "once it is right again");
  }
});

testDatabases(
  "a core that starts with a clock 40 days ahead loses nothing, with or without a known time",
  async (db) => {
    await fill(db);
    const machine = new Machine(NOW + HOUR);
    const before = await counts(db);
    machine.set(LEAP);
    for (let start = 0; start < scaled(2); start++) {
      const keeper = machine.keeper(db);
      await machine.upkeep(db, keeper).run();
      assert.notEqual(keeper.facts()!.doubt, null);
      machine.run(6 * SECOND);
    }
    assert.deepEqual(await counts(db), before);
  },
);

testDatabase("of two clocks that differ the earlier counts, whichever is wrong", async (db) => {
  await fill(db);
  const machine = new Machine(NOW);
  machine.databaseClock = () => machine.clock.now() - LEAP;
  const keeper = machine.keeper(db);
  const upkeep = machine.upkeep(db, keeper);
  const before = await counts(db);
  await upkeep.run();
  assert.equal(keeper.facts()!.doubt, "this machine's clock is 40 d ahead of the database's");
  machine.databaseClock = () => machine.clock.now() + LEAP;
  await upkeep.run();
  assert.equal(keeper.facts()!.doubt, "this machine's clock is 40 d behind the database's");
  machine.databaseClock = () => machine.clock.now() + 300 * SECOND;
  await upkeep.run();
  assert.equal(keeper.facts()!.doubt, null);
  assert.deepEqual(await counts(db), before);
});

/** A process that ends after one round of upkeep. */
async function oneRound(db: Database, machine: Machine): Promise<void> {
  const keeper = machine.keeper(db);
  await machine.upkeep(db, keeper).run();
  await keeper.stop();
}

/** Twelve days with a record each, the last one is today. */
async function twelveDays(db: Database): Promise<void> {
  await registerTenants(db, ["main"]);
  for (let age = 11; age >= 0; age--) {
    await createPartitions(db, NOW - age * DAY, 30);
    await commit(db, [record("some", NOW - age * DAY)], NOW - age * DAY);
  }
}

testDatabase("after a long power-off, one day of records is dropped for each day of running", async (db) => {
  await twelveDays(db);
  const machine = new Machine(NOW);
  await oneRound(db, machine);
  machine.set(36 * DAY);
  const keeper = machine.keeper(db);
  const upkeep = machine.upkeep(db, keeper);
  const left: number[] = [];
  for (let day = 0; day < 8; day++) {
    await upkeep.run();
    left.push(await count(db, "raw_record"));
    for (let quarter = 0; quarter < 4; quarter++) {
      machine.run(DAY / 4);
      await keeper.read();
    }
  }
  // The clock is believed after three days; two days of running time are saved for then. The first day dropped
  // is the one before the first record, which has partitions too.
  assert.deepEqual(left, [12, 12, 12, 11, 10, 9, 8, 7]);
  assert.equal(keeper.facts()!.doubt, null, "it recovers by itself");
});

testDatabase("a running core drops each day when it expires", async (db) => {
  await twelveDays(db);
  const machine = new Machine(NOW);
  const keeper = machine.keeper(db);
  const upkeep = machine.upkeep(db, keeper, { retentionDays: 14 });
  for (let day = 0; day <= 16; day++) {
    await upkeep.run();
    const oldest = Math.max(0, day - 3);
    assert.equal(await count(db, "raw_record"), 12 - Math.min(12, oldest), `after ${day} days`);
    for (let hour = 0; hour < 24; hour += 8) {
      machine.run(8 * HOUR);
      await keeper.read();
    }
  }
});

testDatabase("a clock that races ahead drops no more than one day for each day of running", async (db) => {
  await twelveDays(db);
  const machine = new Machine(NOW);
  // Each step is small enough to be believed after a restart.
  for (let step = 0; step < 45; step++) {
    machine.set(DAY - HOUR);
    await oneRound(db, machine);
  }
  assert.equal(await count(db, "raw_record"), 12);
  assert.ok((await partitionsOf(db, FLOW!)).length >= 12);
});

testTwoCores("two cores count the running time once", async (...pools) => {
  const machine = new Machine(NOW);
  const keepers = pools.map((db) => machine.keeper(db));
  for (const keeper of keepers) await keeper.read();
  for (let hour = 0; hour < 24; hour++) {
    machine.run(HOUR);
    for (const keeper of keepers) await keeper.read();
  }
  const state = await pools[0].shared((tx) =>
    tx.rows(sql`select known_at as known, drop_credit_us as credit from clock_state`)
  );
  assert.deepEqual(state, [{ known: NOW + DAY, credit: DAY }]);
});
