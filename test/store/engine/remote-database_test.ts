// A database used through a message port behaves as it does in its own thread.

import assert from "node:assert/strict";
import { type Database, StoreUnavailable } from "../../../src/store/engine/database.ts";
import { RemoteDatabase } from "../../../src/store/engine/remote/remote-database.ts";
import { serveDatabase, type ServedDatabase } from "../../../src/store/engine/remote/serve-database.ts";
import { errorCode } from "../../../src/store/engine/retry.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabases } from "../../support/database.ts";

function testRemote(
  name: string,
  body: (remote: Database, db: Database, served: ServedDatabase) => Promise<void>,
): void {
  testDatabases(`remote database: ${name}`, async (db) => {
    const { port1, port2 } = new MessageChannel();
    const served = serveDatabase(port1, db);
    const remote = new RemoteDatabase(port2, db.engine);
    try {
      await body(remote, db, served);
    } finally {
      served.close();
      await remote.close();
    }
  });
}

testRemote("values are the same as in the database's own thread", async (remote, db) => {
  const read = (from: Database) =>
    from.tenant("main", (tx) =>
      tx.rows(sql`
        select ${"9007199254740993"}::bigint as big, 7::bigint as small, '\\x00ff'::bytea as bytes, null as nothing,
          '2026-11-21 01:02:03.123456+00'::timestamptz as at, array[1, 9007199254740993]::bigint[] as list,
          '{"a": [1]}'::jsonb as json, ${new Uint8Array([1, 2, 3])}::bytea as sent`));
  const plain = (rows: object[]) =>
    rows.map((row) => Object.entries(row).map(([name, value]) => [name, unwrap(value)]));
  assert.deepEqual(plain(await read(remote)), plain(await read(db)));
});

/** Buffers arrive as plain byte arrays. */
function unwrap(value: unknown): unknown {
  return value instanceof Uint8Array ? [...value] : value;
}

testRemote("pipelined statements run in order, in one transaction", async (remote) => {
  const numbers = await remote.tenant("main", async (tx) => {
    await tx.run(sql`insert into tenant_counter (tenant_id) values ('main')`);
    const next = () =>
      tx.rows<{ n: number }>(sql`update tenant_counter set batch_no = batch_no + 1 returning batch_no as n`);
    return (await Promise.all(Array.from({ length: 20 }, next))).map(([row]) => row!.n);
  });
  assert.deepEqual(numbers, Array.from({ length: 20 }, (_, at) => at + 1));
});

const LEASE = sql`insert into lease (name, holder, epoch, expires_at) values ('one', 'a', 1, now())`;

testRemote("a failed statement rolls back its transaction and keeps its code", async (remote, db) => {
  const work = remote.shared(async (tx) => {
    await tx.run(LEASE);
    await tx.run(LEASE);
  });
  await assert.rejects(work, (error) => errorCode(error) === "23505");
  const caught = remote.shared(async (tx) => {
    await tx.run(LEASE);
    await tx.run(LEASE).catch(() => {});
  });
  await assert.rejects(caught, (error) => errorCode(error) === "23505");
  assert.deepEqual(await db.shared((tx) => tx.rows(sql`select 1 from lease`)), []);
});

testRemote(
  "an error of the work rolls back and reaches the caller, also after a failed statement",
  async (remote, db) => {
    class Own extends Error {}
    for (const fails of [false, true]) {
      let runs = 0;
      const work = remote.shared(async (tx) => {
        runs++;
        await tx.run(LEASE);
        if (fails) await tx.run(LEASE).catch(() => {});
        throw new Own("mine");
      });
      await assert.rejects(work, Own);
      assert.equal(runs, 1);
    }
    assert.deepEqual(await db.shared((tx) => tx.rows(sql`select 1 from lease`)), []);
  },
);

testRemote("a transient failure is retried", async (remote) => {
  let runs = 0;
  const result = await remote.owner(async (tx) => {
    runs++;
    if (runs === 1) await tx.script("do $$ begin raise exception 'again' using errcode = '40001'; end $$");
    return runs;
  });
  assert.equal(result, 2);
});

testRemote("an unavailable store is reported as such", async (remote) => {
  const work = remote.owner((tx) =>
    tx.script("do $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$")
  );
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof StoreUnavailable);
    assert.equal(errorCode(error.cause), "53100");
    return true;
  });
});

testRemote("a thread that ends in a transaction leaves nothing behind", async (remote, db, served) => {
  const inserted = Promise.withResolvers<void>();
  const lost = remote.shared(async (tx) => {
    await tx.run(LEASE);
    inserted.resolve();
    await new Promise(() => {});
  });
  lost.catch(() => {});
  await inserted.promise;
  served.close();
  assert.deepEqual(await db.shared((tx) => tx.rows(sql`select 1 from lease`)), []);
});
