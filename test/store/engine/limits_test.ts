// Limits that keep a slow transaction from blocking its caller and others.

import assert from "node:assert/strict";
import pg from "pg";
import { CallerGone, type Database, StoreUnavailable } from "../../../src/store/engine/database.ts";
import { LimitedDatabase } from "../../../src/store/engine/limited.ts";
import { API_LIMITS, HEALTH_LIMITS, INGEST_LIMITS, type Limits } from "../../../src/store/engine/limits.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { freshPostgres, POSTGRES_URL, testDatabases } from "../../support/database.ts";

const SHORT: Limits = { statementMs: 300, lockMs: 200, waitMs: 500, answerMs: 1_500 };
/** Upper bound in milliseconds on a busy machine. */
const BOUND = 10_000;

async function unavailable(work: Promise<unknown>, cause: RegExp): Promise<void> {
  const started = Date.now();
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof StoreUnavailable, String(error));
    assert.match(String(error.cause), cause);
    return true;
  });
  assert.ok(Date.now() - started < BOUND);
}

/** Places for transactions that are each of a request of another person. */
function sharing(places: number) {
  let people = 0;
  return { places, current: () => ({ person: `person ${++people}`, signal: null, answerBy: null }) };
}

const one = (db: Database) =>
  db.tenant("main", async (tx) => (await tx.rows<{ n: number }>(sql`select 1 as n`))[0]!.n);
/** CPU-bound work that takes far more than a second on both engines. */
const slow =
  sql`select count(*) from generate_series(1, 6000) a, generate_series(1, 6000) b where a.a <> -b.b`;

testDatabases("limits: a late transaction starts no further statement and does not commit", async (db) => {
  const late = db.tenant("main", async (tx) => {
    await tx.run(sql`
      insert into idempotency (tenant_id, subject, idempotency_key, fingerprint, claim_id, lease_until, expires_at)
      values ('main', 'ada', 'k', 'f', gen_random_uuid(), now(), now())`);
    await new Promise((resolve) => setTimeout(resolve, 700));
    await assert.rejects(tx.rows(sql`select 1`));
  }, { ...SHORT, answerMs: 300 });
  await unavailable(late, /no result within 300 ms/);
  await new Promise((resolve) => setTimeout(resolve, 800));
  const rows = await db.tenant(
    "main",
    (tx) => tx.rows(sql`select 1 from idempotency where tenant_id = 'main'`),
  );
  assert.deepEqual(rows, []);
  assert.equal(await one(db), 1);
});

testDatabases("limits: a slow statement ends the wait, and the database stays usable", async (db) => {
  await unavailable(
    db.tenant("main", (tx) => tx.rows(slow), { ...SHORT, answerMs: 1_000 }),
    /statement timeout|no result within 1000 ms/,
  );
  assert.equal(await one(db), 1);
});

testDatabases(
  "limits: concurrency is limited, and others wait for a limited time",
  async (db) => {
    const limited = new LimitedDatabase(db, { ...SHORT, answerMs: 5_000 }, sharing(2));
    const release = Promise.withResolvers<void>();
    let atOnce = 0;
    let most = 0;
    const work = () =>
      limited.shared(async () => {
        most = Math.max(most, ++atOnce);
        await release.promise;
        atOnce--;
      });
    const all = [1, 2, 3, 4, 5].map(() =>
      work().then(() => "done", (error) => error instanceof StoreUnavailable)
    );
    await new Promise((resolve) => setTimeout(resolve, 900));
    release.resolve();
    const results = await Promise.all(all);
    // The embedded engine runs one transaction at a time; a slot that is given up goes to the next in the
    // queue.
    const done = db.engine === "pglite" ? 1 : 2;
    assert.deepEqual(results.slice(0, done), Array(done).fill("done"));
    assert.ok(results.includes(true), "one waited for too long");
    assert.ok(results.every((result) => result === "done" || result === true));
    assert.equal(most, done);
    assert.equal(await one(limited), 1);
    // Slots are handed on: many more transactions than slots complete.
    const patient = new LimitedDatabase(db, API_LIMITS, sharing(2));
    assert.equal((await Promise.all(Array.from({ length: 20 }, () => one(patient)))).length, 20);
  },
);

testDatabases("limits: time in the queue counts against the limits", async (db) => {
  const limited = new LimitedDatabase(db, SHORT, sharing(1));
  const first = Promise.withResolvers<void>();
  const never = Promise.withResolvers<void>();
  const holding = limited.shared(() => first.promise);
  const late = limited.shared(() => never.promise);
  await new Promise((resolve) => setTimeout(resolve, 300));
  first.resolve();
  await holding;
  // 1,500 ms minus at least 300 in the queue.
  await unavailable(late, /no result within (1[012]|\d)\d\d ms/).finally(() => never.resolve());
  assert.equal(await one(db), 1);
});

testDatabases(
  "limits: a person with many slow transactions does not delay another one by more than one",
  async (db) => {
    let person = "ada";
    const current = () => ({ person, signal: null, answerBy: null });
    const limited = new LimitedDatabase(db, API_LIMITS, { places: 1, current });
    const order: string[] = [];
    const ask = (tenant: string) => {
      const who = `${tenant} ${person}`;
      return limited.tenant(tenant, async (tx) => {
        order.push(who);
        await tx.rows(sql`select 1`);
      });
    };
    const all = Array.from({ length: 20 }, () => ask("main"));
    person = "bob";
    all.push(ask("main"));
    person = "eve";
    all.push(ask("branch"));
    await Promise.all(all);
    assert.deepEqual(order.slice(0, 4), ["main ada", "branch eve", "main bob", "main ada"]);
    assert.equal(order.length, 22);
  },
);

testDatabases("limits: a transaction whose caller is gone ends, and so does one that waits", async (db) => {
  const gone = new AbortController();
  const current = () => ({ person: "ada", signal: gone.signal, answerBy: null });
  const limited = new LimitedDatabase(db, API_LIMITS, { places: 1, current });
  const started = Promise.withResolvers<void>();
  let further = 0;
  const running = limited.tenant("main", async (tx) => {
    started.resolve();
    await tx.rows(slow);
    await tx.rows(sql`select 1`);
    further++;
  });
  const waiting = limited.tenant("main", () => Promise.resolve(further++));
  const both = Promise.allSettled([running, waiting]);
  await started.promise;
  gone.abort();
  for (const result of await both) {
    assert.ok(result.status === "rejected" && result.reason instanceof CallerGone);
  }
  assert.equal(await one(db), 1);
  assert.equal(further, 0);
});

testDatabases("limits: the answer is due once, whatever the number of its transactions", async (db) => {
  const answerBy = performance.now() + 3_000;
  const limited = new LimitedDatabase(db, API_LIMITS, {
    places: 1,
    current: () => ({ person: "ada", signal: null, answerBy }),
  });
  const pause = () => limited.shared(() => new Promise((resolve) => setTimeout(resolve, 2_000)));
  await pause();
  await unavailable(pause(), /no result within \d+ ms/);
});

Deno.test("limits: statements are cancelled before the answer is due, and that before the web layer gives up", () => {
  for (const limits of [API_LIMITS, HEALTH_LIMITS, INGEST_LIMITS]) {
    assert.ok(limits.lockMs < limits.statementMs && limits.statementMs < limits.answerMs);
    assert.ok(limits.waitMs < limits.answerMs);
  }
  assert.ok(API_LIMITS.answerMs < 28_000);
  // The web layer waits 8 s for metrics, and scrapers 10 s.
  assert.ok(HEALTH_LIMITS.answerMs < 7_000);
});

if (POSTGRES_URL !== "") {
  Deno.test("limits: the wait for another connection's lock is limited", async () => {
    await withServer(async (db, client) => {
      await client.query("begin; lock table idempotency in access exclusive mode");
      const read = () =>
        db.tenant("main", (tx) => tx.rows(sql`select 1 from idempotency where tenant_id = 'main'`), SHORT);
      await unavailable(read(), /lock timeout/);
      await client.query("commit");
      assert.deepEqual(await read(), []);
    });
  });

  Deno.test("limits: a slow statement is cancelled on the server", async () => {
    await withServer(async (db, client) => {
      await unavailable(
        db.tenant("main", (tx) => tx.rows(sql`select pg_sleep(60)`), SHORT),
        /statement timeout/,
      );
      const { rows } = await client.query(
        "select 1 from pg_stat_activity where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()",
      );
      assert.deepEqual(rows, []);
      // The limits end with the transaction.
      const [{ limit }] = await db.shared((tx) =>
        tx.rows<{ limit: string }>(sql`select current_setting('statement_timeout') as limit`)
      ) as [{ limit: string }];
      assert.equal(limit, "1min");
    });
  });

  Deno.test("limits: a statement whose caller is gone is cancelled on the server", async () => {
    await withServer(async (db, client) => {
      const gone = new AbortController();
      const sleeping = db.tenant("main", (tx) => tx.rows(sql`select pg_sleep(60)`), {
        ...API_LIMITS,
        signal: gone.signal,
      });
      const active = async () =>
        (await client.query(
          "select 1 from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()",
        )).rowCount;
      while (await active() === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      gone.abort();
      await assert.rejects(sleeping, CallerGone);
      // Ends at once, instead of after 60 s.
      for (let tries = 0; await active() !== 0; tries++) {
        assert.ok(tries < 250, "the statement still runs");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.equal(await one(db), 1);
    });
  });

  Deno.test("limits: with all connections in use, callers fail in time, and are served afterwards", async () => {
    await withServer(async (db) => {
      const release = Promise.withResolvers<void>();
      const holding = [1, 2].map(() => db.shared(() => release.promise));
      await new Promise((resolve) => setTimeout(resolve, 200));
      await unavailable(
        db.tenant("main", () => Promise.resolve(), SHORT),
        /no connection within 500 ms|timeout exceeded/,
      );
      release.resolve();
      await Promise.all(holding);
      assert.equal(await one(db), 1);
    }, 2);
  });

  Deno.test("limits: a hanging server is abandoned, and used again once it responds", async () => {
    await withServer(async (db, client) => {
      const { rows: [{ pid }] } = await client.query("select pg_backend_pid() as pid");
      assert.ok(pid > 0);
      let backend = 0;
      const hung = db.tenant("main", async (tx) => {
        backend = (await tx.rows<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]!.pid;
        Deno.kill(backend, "SIGSTOP");
        await tx.rows(sql`select 1`);
      }, SHORT);
      try {
        await unavailable(hung, /no result within 1500 ms/);
        assert.equal(await one(db), 1);
      } finally {
        Deno.kill(backend, "SIGCONT");
      }
    });
  });
}

async function withServer(
  work: (db: PostgresDatabase, client: pg.Client) => Promise<void>,
  poolSize = 4,
): Promise<void> {
  const { url, drop } = await freshPostgres();
  const db = new PostgresDatabase({ url, poolSize, connectTimeout: 1_000 });
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await work(db, client);
  } finally {
    await client.end();
    await db.close();
    await drop();
  }
}
