import assert from "node:assert/strict";
import type { Upkeep } from "../../../src/core/jobs/upkeep.ts";
import type { Logger } from "../../../src/observe/log.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { acquireLease } from "../../../src/store/engine/leases.ts";
import { useNonce } from "../../../src/store/session/nonces.ts";
import { createPartitions, partitionsOf } from "../../../src/store/engine/schema/partitions.ts";
import { storedBytes } from "../../../src/store/engine/schema/space.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { PARTITIONED_TABLES } from "../../../src/store/engine/tables.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { testDatabases } from "../../support/database.ts";
import { Machine } from "../../support/store/machine.ts";
import { testDatabase } from "./one-database.ts";
import { commit, DAY, NOON, record } from "../record/records.ts";

const [FLOW] = PARTITIONED_TABLES;
const DAYS = 5;

function upkeep(db: Database, now = NOON, logger: Logger = silentLogger): Upkeep {
  return new Machine(now).upkeep(db, undefined, { logger });
}

/** A logger that collects messages. */
function collecting(): { logger: Logger; errors: string[]; infos: string[] } {
  const errors: string[] = [];
  const infos: string[] = [];
  const info = (message: string) => void infos.push(message);
  const error = (message: string) => void errors.push(message);
  return { errors, infos, logger: { ...silentLogger, info, error } };
}

async function nonces(db: Database): Promise<number> {
  return (await db.shared((tx) => tx.rows(sql`select nonce from signed_nonce`))).length;
}

testDatabase("a round creates days, applies the retention and deletes expired rows", async (db) => {
  await registerTenants(db, ["main"]);
  const machine = new Machine(NOON - 40 * DAY);
  const time = machine.keeper(db);
  const { logger, errors, infos } = collecting();
  const upkeep = machine.upkeep(db, time, { logger });
  await upkeep.run();
  await commit(db, [record("old", NOON - 40 * DAY)], NOON - 40 * DAY);
  await db.shared((tx) => useNonce(tx, "used", NOON - DAY));

  for (let day = 0; day < 40; day++) {
    machine.run(DAY);
    await time.read();
    // Later days were not created, as nothing ran: only these expire.
    if (day >= 30) await upkeep.run();
  }
  assert.deepEqual(errors, []);
  assert.deepEqual([...new Set(infos)], ["dropped data older than NDR_RETENTION_DAYS"]);
  assert.equal((await partitionsOf(db, FLOW!)).length, DAYS + 9);
  assert.deepEqual(await db.tenant("main", (tx) => tx.rows(sql`select 1 from raw_record`)), []);
  assert.equal(await nonces(db), 0);
});

testDatabase("upkeep runs on one core at a time and releases its lease", async (db) => {
  await acquireLease(db, "upkeep", "another core", 60);
  await upkeep(db).run();
  assert.deepEqual(await partitionsOf(db, FLOW!), []);
  await db.shared((tx) => tx.run(sql`delete from lease`));
  await upkeep(db).run();
  assert.equal((await partitionsOf(db, FLOW!)).length, DAYS);
  assert.ok(await acquireLease(db, "upkeep", "another core", 60));
});

testDatabases("upkeep of an embedded database continues immediately after a core was killed", async (db) => {
  const { logger, errors } = collecting();
  await new Machine(NOON).upkeep(killedWithLease(db), undefined, { logger }).run();
  assert.equal(errors.length > 0, true, "the last round failed");
  await upkeep(db).run();
  // On a server, the core may still be running.
  assert.equal((await partitionsOf(db, FLOW!)).length, db.engine === "pglite" ? DAYS : 0);
});

/** The database of a core that is killed right after it got the lease, so it cannot even release it. */
function killedWithLease(db: Database): Database {
  let calls = 0;
  const killed = () => Promise.reject(new Error("killed"));
  return {
    engine: db.engine,
    shared: (work) => ++calls === 1 ? db.shared(work) : killed(),
    tenant: killed,
    owner: killed,
    close: killed,
  };
}

testDatabase("the byte limit is applied between rounds, on one core at a time", async (db) => {
  await registerTenants(db, ["main"]);
  for (const day of [2, 1, 0]) {
    await createPartitions(db, NOON - day * DAY, 30);
    await commit(db, [record("some", NOON - day * DAY)], NOON - day * DAY);
  }
  // The pipeline has processed everything.
  await db.tenant(
    "main",
    (tx) => tx.run(sql`insert into pipeline_cursor (tenant_id, batch_no) values ('main', 3)`),
  );
  await acquireLease(db, "upkeep", "another core", 60);
  const stored = await storedBytes(db);
  const { logger, errors, infos } = collecting();
  const limited = (retentionBytes?: number) =>
    new Machine(NOON).upkeep(db, undefined, { retentionBytes, logger });

  await limited(stored - 1).makeRoom();
  assert.equal(await storedBytes(db), stored);
  await db.shared((tx) => tx.run(sql`delete from lease`));
  for (const limit of [undefined, stored]) await limited(limit).makeRoom();
  assert.equal(await storedBytes(db), stored);

  const upkeep = limited(stored - 1);
  assert.equal(upkeep.space(), null);
  await upkeep.makeRoom();
  const left = await storedBytes(db);
  assert.ok(left < stored);
  assert.deepEqual(upkeep.space(), { limit: stored - 1, bytes: left, kept: true });
  assert.deepEqual(infos, ["dropped the oldest records to stay within NDR_RETENTION_BYTES"]);
  assert.deepEqual(errors, []);
  assert.ok(await acquireLease(db, "upkeep", "another core", 60), "the lease was released");
});

testDatabase("a failure is logged and does not block other work", async (db) => {
  await db.shared((tx) => useNonce(tx, "used", NOON - DAY));
  await db.owner((tx) => tx.script("alter table evidence rename to gone"));
  const { logger, errors } = collecting();
  await upkeep(db, NOON, logger).run();
  assert.deepEqual(errors, ["cannot create partitions, will retry"]);
  assert.equal(await nonces(db), 0);
});

testDatabase("a stop waits for the running round, which starts nothing more", async (db) => {
  const running = upkeep(db);
  const round = running.run();
  await running.stop();
  await round;
  assert.deepEqual(await partitionsOf(db, FLOW!), []);
  assert.ok(await acquireLease(db, "upkeep", "another core", 60));
});
