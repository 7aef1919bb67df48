import assert from "node:assert/strict";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { classifyDue } from "../../../src/core/jobs/classify-devices.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { Api, ZEEK } from "../../contract/api.ts";
import { dns } from "../../contract/records.ts";
import { testDatabase, testTwoCores } from "./one-database.ts";
import { commit, NOON, record } from "../record/records.ts";

/** The same database, with a count of how often a callback ran. */
function counting(db: Database): { db: Database; runs: () => number } {
  let runs = 0;
  const tenant: Database["tenant"] = (tenantId, work) =>
    db.tenant(tenantId, (tx) => {
      runs++;
      return work(tx);
    });
  return { db: { ...db, engine: db.engine, tenant }, runs: () => runs };
}

testTwoCores("batches that share keys in opposite orders do not deadlock", async (one, other) => {
  const names = Array.from({ length: 300 }, (_, i) => record(`shared ${i}`, NOON + i % 7));
  const [a, b] = [counting(one), counting(other)];
  for (let round = 0; round < 3; round++) {
    const mixed = names.slice(round * 100, round * 100 + 100);
    const sent = await Promise.all([
      commit(a.db, mixed),
      commit(b.db, mixed.toReversed()),
      commit(a.db, [...mixed.slice(50), ...mixed.slice(0, 50)]),
      commit(b.db, mixed),
    ]);
    assert.equal(sent.reduce((sum, batch) => sum + batch.accepted, 0), 100);
    assert.equal(sent.reduce((sum, batch) => sum + batch.duplicates, 0), 300);
  }
  assert.deepEqual([a.runs(), b.runs()], [6, 6], "no transaction was a victim");
});

/** Locks two rows; the second once both transactions have their first. */
async function lockBoth(tx: Tx, first: string, second: string, both: () => Promise<void>): Promise<void> {
  await tx.run(sql`update sensor_receipt set last_event_at = now() where sensor_id = ${first}`);
  await both();
  await tx.run(sql`update sensor_receipt set last_event_at = now() where sensor_id = ${second}`);
}

testTwoCores("a deadlock's victim is retried from the start", async (one, other) => {
  await one.tenant("main", (tx) =>
    tx.run(sql`
      insert into sensor_receipt (tenant_id, sensor_id, last_event_at)
      select 'main', unnest(array['a', 'b']), now()`));
  const waiting = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const meet = (mine: number) => () => {
    runs++;
    waiting[mine]!.resolve();
    return waiting[1 - mine]!.promise;
  };
  await Promise.all([
    one.tenant("main", (tx) => lockBoth(tx, "a", "b", meet(0))),
    other.tenant("main", (tx) => lockBoth(tx, "b", "a", meet(1))),
  ]);
  assert.equal(runs, 3, "one of two ran twice");
});

testDatabase("40P01 and 40001 are retried a limited number of times, other errors are not", async (db) => {
  for (const [code, expected] of [["40P01", 6], ["40001", 6], ["22012", 1]] as const) {
    let runs = 0;
    await assert.rejects(
      db.tenant("main", () => {
        runs++;
        return Promise.reject(Object.assign(new Error("from the server"), { code }));
      }),
      { code },
    );
    assert.equal(runs, expected, code);
  }
});

testDatabase("a failed attempt is rolled back before the next one", async (db) => {
  let runs = 0;
  await db.tenant("main", async (tx) => {
    await tx.run(sql`insert into tenant_counter (tenant_id) values ('main')`);
    if (++runs < 3) throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
  });
  assert.equal(runs, 3);
});

testDatabase("a statement error that the callback catches still fails the transaction", async (db) => {
  await assert.rejects(
    db.tenant("main", async (tx) => {
      await tx.run(sql`insert into tenant_counter (tenant_id) values ('main')`);
      await tx.rows(sql`select 1 / 0`).catch(() => {});
    }),
    { code: "22012" },
    "otherwise the server silently answers COMMIT with ROLLBACK",
  );
  const rows = await db.tenant("main", (tx) => tx.rows(sql`select 1 from tenant_counter`));
  assert.deepEqual(rows, []);
});

testTwoCores("a round that locks devices does not wait for their classification", async (one, other) => {
  const api = new Api(one);
  await api.take(ZEEK, ["10.0.0.8", "10.0.0.9"].map((dst) => dns({ src: "10.0.0.5", dst, dstPort: 53 })));
  const servers = await one.tenant("main", (tx) =>
    tx.rows<{ device_id: string }>(sql`
      select device_id from device_address where tenant_id = 'main' and ip > '10.0.0.5' order by device_id`));
  assert.equal(servers.length, 2);
  let classifying = Promise.resolve(0);
  await one.tenant("main", async (tx) => {
    const lock = (index: number) =>
      tx.run(sql`
        update device set score = score where tenant_id = 'main' and device_id = ${
        servers[index]!.device_id
      }::uuid`);
    await lock(1);
    classifying = classifyDue(other, "main", api.clock.now(), 100);
    classifying.catch(() => {});
    while (!(await isWaiting(tx))) await new Promise((resolve) => setTimeout(resolve, 5));
    // Shorter than the server's deadlock timeout.
    await tx.run(sql`set local lock_timeout = 500`);
    await lock(0);
  }, { statementMs: 5_000, lockMs: 5_000, waitMs: 5_000, answerMs: 10_000 });
  assert.equal(await classifying, 3);
  const types = await one.tenant(
    "main",
    (tx) => tx.rows(sql`select from device where tenant_id = 'main' and device_type = 'dns_server'`),
  );
  assert.equal(types.length, 2);
});

/** Whether a session waits for a row lock. */
async function isWaiting(tx: Tx): Promise<boolean> {
  const rows = await tx.rows(sql`select from pg_locks where not granted and locktype = 'transactionid'`);
  return rows.length > 0;
}
