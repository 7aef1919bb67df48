// Connections in a separate thread behave like those of this thread, and are served while this one is busy.

import assert from "node:assert/strict";
import { Threads } from "../../../src/kit/threads/threads.ts";
import { type Database, StoreUnavailable, type Tx } from "../../../src/store/engine/database.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import type { PostgresAnswer, PostgresQuestion } from "../../../src/store/engine/postgres/postgres-worker.ts";
import { errorCode } from "../../../src/store/engine/retry.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";

function testThread(name: string, body: (db: Database, beside: Database) => Promise<void>): void {
  Deno.test(`a thread's connections: ${name}`, { ignore: POSTGRES_URL === "" }, async () => {
    const { url, drop } = await freshPostgres();
    const db = new PostgresDatabase({ url }, { thread: true });
    const beside = new PostgresDatabase({ url });
    try {
      await body(db, beside);
    } finally {
      await Promise.all([db.close(), beside.close()]);
      await drop();
    }
  });
}

testThread("values arrive as they do here", async (db, beside) => {
  const read = (from: Database) =>
    from.tenant("main", (tx) =>
      tx.rows(sql`
        select ${"9007199254740993"}::bigint as big, 7::bigint as small, '\\x00ff'::bytea as bytes, null as nothing,
          '2026-11-21 01:02:03.123456+00'::timestamptz as at, array[1, 9007199254740993]::bigint[] as list,
          '{"a": [1]}'::jsonb as json, ${new Uint8Array([1, 2, 3])}::bytea as sent`));
  assert.deepEqual(await read(db), await read(beside));
});

testThread("statements given at once run in their order, in one transaction", async (db) => {
  const numbers = await db.tenant("main", async (tx) => {
    await tx.run(sql`insert into tenant_counter (tenant_id) values ('main')`);
    const next = () =>
      tx.rows<{ n: number }>(sql`update tenant_counter set batch_no = batch_no + 1 returning batch_no as n`);
    return (await Promise.all(Array.from({ length: 20 }, next))).map(([row]) => row!.n);
  });
  assert.deepEqual(numbers, Array.from({ length: 20 }, (_, at) => at + 1));
});

testThread("a failed statement undoes its transaction and keeps its code", async (db, beside) => {
  const twice = sql`insert into lease (name, holder, epoch, expires_at) values ('one', 'a', 1, now())`;
  const work = db.shared(async (tx) => {
    await tx.run(twice);
    await tx.run(twice);
  });
  await assert.rejects(work, (error) => errorCode(error) === "23505");
  assert.deepEqual(await beside.shared((tx) => tx.rows(sql`select 1 from lease`)), []);
});

testThread("what may succeed when it runs again is run again", async (db) => {
  let runs = 0;
  const result = await db.owner(async (tx) => {
    runs++;
    if (runs === 1) await tx.script("do $$ begin raise exception 'again' using errcode = '40001'; end $$");
    return runs;
  });
  assert.equal(result, 2);
});

testThread(
  "a connection closed by the server fails its transaction and is replaced",
  async (db, beside) => {
    const work = db.tenant("main", async (tx) => {
      const [{ pid }] = await tx.rows<{ pid: number }>(sql`select pg_backend_pid() as pid`) as [
        { pid: number },
      ];
      await beside.owner((other) => other.rows(sql`select pg_terminate_backend(${pid}, 5000)`));
      await tx.rows(sql`select 1`);
    });
    await assert.rejects(work, StoreUnavailable);
    assert.deepEqual(await db.shared((tx) => tx.rows(sql`select 1 as one`)), [{ one: 1 }]);
  },
);

Deno.test("a thread's connections: remains of a lost thread do not use its successor's connections", {
  ignore: POSTGRES_URL === "",
}, async () => {
  const { url, drop } = await freshPostgres();
  const program = new URL("../../../src/store/engine/postgres/postgres-worker.ts", import.meta.url);
  const one = new Threads<PostgresQuestion, PostgresAnswer>(program, 1);
  const other = new Threads<PostgresQuestion, PostgresAnswer>(program, 1);
  try {
    const lost = await one.ask({ op: "connect", options: { url } });
    const next = await other.ask({ op: "connect", options: { url } });
    assert.ok("connection" in lost && "connection" in next);
    const answer = await other.ask({ op: "query", connection: lost.connection, statement: "select 1" });
    assert.ok("error" in answer && answer.error.code === "08003", JSON.stringify(answer));
    for (const [thread, { connection }] of [[one, lost], [other, next]] as const) {
      await thread.ask({ op: "release", connection, broken: null });
      await thread.ask({ op: "end" });
    }
  } finally {
    one.close();
    other.close();
    await drop();
  }
});

/** Sends two statements larger than a socket's buffer; returns when the second one began, in milliseconds. */
function beganSecond(tx: Tx): Promise<number> {
  const large = new Uint8Array(2_000_000);
  const ask = () =>
    tx.rows<{ at: number }>(
      sql`select length(${large}::bytea), extract(epoch from clock_timestamp())::float8 * 1000 as at`,
    );
  return Promise.all([ask(), ask()]).then(([, second]) => second[0]!.at);
}

testThread("a server gets its statements while this thread is busy", async (db) => {
  const late = await db.tenant("main", async (tx) => {
    const began = beganSecond(tx);
    // Blocks this thread for half a second, much longer than four megabytes need.
    const end = performance.timeOrigin + performance.now() + 500;
    while (performance.timeOrigin + performance.now() < end);
    return await began - end;
  });
  assert.ok(late < 0, `the second statement began ${late} ms after this thread had time`);
});
