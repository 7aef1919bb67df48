import assert from "node:assert/strict";
import { type Database, StoreUnavailable, type Tx } from "../../../src/store/engine/database.ts";
import { migrate } from "../../../src/store/engine/schema/migrate.ts";
import { openDatabase } from "../../../src/store/engine/open.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { retrying } from "../../../src/store/engine/retry.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { installedPrograms, startPostgres } from "../../support/postgres.ts";
import { testTwoCores } from "./one-database.ts";
import { commit, record } from "../record/records.ts";

const one = (db: Database) => db.owner((tx) => tx.rows(sql`select 1 as one`));

async function backend(tx: Tx): Promise<number> {
  return (await tx.rows<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]!.pid;
}

/** Terminates a connection on the server and waits until it is gone. */
async function terminate(db: Database, pid: number): Promise<void> {
  await db.owner((tx) => tx.rows(sql`select pg_terminate_backend(${pid}, 5000)`));
}

testTwoCores(
  "a connection lost between two statements fails its transaction, not the process",
  async (db, other) => {
    await assert.rejects(
      db.tenant("main", async (tx) => {
        await tx.run(sql`insert into tenant_counter (tenant_id) values ('main')`);
        await terminate(other, await backend(tx));
        await new Promise((resolve) => setTimeout(resolve, 20));
        await tx.rows(sql`select 1`);
      }),
      StoreUnavailable,
    );
    assert.deepEqual(await one(db), [{ one: 1 }]);
    assert.deepEqual(await db.tenant("main", (tx) => tx.rows(sql`select 1 from tenant_counter`)), []);
  },
);

testTwoCores(
  "a connection lost during a statement fails its transaction, not the process",
  async (db, other) => {
    await assert.rejects(
      db.tenant("main", async (tx) => {
        const pid = await backend(tx);
        await Promise.all([tx.rows(sql`select pg_sleep(30)`), terminate(other, pid)]);
      }),
      StoreUnavailable,
    );
    assert.deepEqual(await one(db), [{ one: 1 }]);
  },
);

testTwoCores("idle connections closed by the server are replaced", async (db, other) => {
  const pids = await Promise.all([1, 2, 3].map(() => db.shared((tx) => backend(tx))));
  for (const pid of new Set(pids)) await terminate(other, pid);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(await one(db), [{ one: 1 }]);
});

testTwoCores("temporary server failures are StoreUnavailable", async (db) => {
  const attempts = [
    "set local statement_timeout = 1; select pg_sleep(5)",
    "set local transaction_read_only = on; create table t (a int)",
    "do $$ begin raise exception using errcode = 'disk_full', message = 'no space left'; end $$",
  ];
  for (const attempt of attempts) {
    await assert.rejects(db.owner((tx) => tx.script(attempt)), StoreUnavailable, attempt);
  }
  await assert.rejects(
    db.owner((tx) => tx.script("select 1 / 0")),
    { code: "22012" },
    "a fault is not an outage",
  );
});

Deno.test("an unreachable or refusing server, or a closed pool, is StoreUnavailable", {
  ignore: POSTGRES_URL === "",
}, async () => {
  const { url, drop } = await freshPostgres();
  const urls = [
    "postgres://nobody@127.0.0.1:1/nothing",
    "postgres://nobody@/nothing?host=/nonexistent",
    url.replace(/\/[^/?]*\?/, "/no_such_database?"),
    url.replace(/\/\/[^@]*@/, "//no_such_role@"),
  ];
  for (const wrong of urls) {
    const db = new PostgresDatabase({ url: wrong });
    await assert.rejects(one(db), (error: Error) => {
      assert.ok(error instanceof StoreUnavailable, String(error));
      assert.match(error.message, /^the store is not available: .+/, "with the reason");
      return true;
    });
    await db.close();
  }
  const closed = new PostgresDatabase({ url });
  await one(closed);
  await closed.close();
  await assert.rejects(one(closed), StoreUnavailable);
  await closed.close();
  await drop();
});

Deno.test("outages are distinguished from faults by code", async () => {
  const of = (code: string) => retrying(() => Promise.reject(Object.assign(new Error(), { code })));
  for (
    const code of [
      "08006",
      "53100",
      "53300",
      "57P01",
      "57P03",
      "58030",
      "ECONNREFUSED",
      "ECONNRESET",
      "EPIPE",
    ]
  ) {
    await assert.rejects(of(code), StoreUnavailable, code);
  }
  for (const code of ["23505", "42501", "22P05", "55P03", "XX000", ""]) {
    await assert.rejects(of(code), (error: Error) => !(error instanceof StoreUnavailable), code);
  }
});

Deno.test("a database URL of another form is rejected", async () => {
  for (const url of ["", "mysql://x", "embedded:", "postgres:", "/var/lib/ndr"]) {
    await assert.rejects(openDatabase(url), TypeError, url);
  }
});

Deno.test(
  "an exhausted pool makes callers wait, then fails",
  { ignore: POSTGRES_URL === "" },
  async () => {
    const { url, drop } = await freshPostgres();
    const db = new PostgresDatabase({ url, poolSize: 1, connectTimeout: 1_000 });
    const release = Promise.withResolvers<void>();
    const holding = db.shared(() => release.promise);
    await assert.rejects(one(db), StoreUnavailable);
    release.resolve();
    await holding;
    assert.deepEqual(await one(db), [{ one: 1 }]);
    await db.close();
    await drop();
  },
);

Deno.test("a server that keeps crashing stores acknowledged batches exactly once", {
  ignore: (await installedPrograms()).length === 0,
}, async () => {
  const server = (await startPostgres())!;
  const db = new PostgresDatabase({ url: server.url });
  await migrate(db);
  let outages = 0;
  const send = async (name: string) => {
    for (;;) {
      try {
        return await commit(db, [record(name), record(`${name} second`)]);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        outages++;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const sender = async (name: string) => {
    for (let batch = 0; batch < 40; batch++) {
      await send(`${name} ${batch}`);
      // A killed backend makes the whole server restart.
      if (name === "a" && batch % 15 === 5) Deno.kill(await db.shared((tx) => backend(tx)), "SIGKILL");
    }
  };
  try {
    await Promise.all(["a", "b", "c"].map(sender));
    assert.ok(outages > 0);
    await db.tenant("main", async (tx) => {
      const [stored] = await tx.rows(sql`
        select (select count(*)::int from raw_record) as records, (select sum(accepted)::int from raw_batch) as accepted,
          (select max(batch_no) = count(*) from raw_batch) as gapless`);
      assert.deepEqual(stored, { records: 240, accepted: 240, gapless: true });
    });
  } finally {
    await db.close();
    await server.stop();
  }
});
