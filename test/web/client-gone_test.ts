// A client that closes its requests ends their work: its statements are cancelled, and others get their places.

import assert from "node:assert/strict";
import pg from "pg";
import { currentWork } from "../../src/observe/request-scope.ts";
import { LimitedDatabase } from "../../src/store/engine/limited.ts";
import { API_LIMITS } from "../../src/store/engine/limits.ts";
import { PostgresDatabase } from "../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../src/store/engine/sql.ts";
import { freshPostgres, POSTGRES_URL } from "../support/database.ts";
import { Stack } from "./session/web-stack.ts";

const REQUESTS = 40;

Deno.test("a client that closes its requests ends their statements, and leaves its places to others", {
  ignore: POSTGRES_URL === "",
}, async () => {
  const { url, drop } = await freshPostgres();
  const db = new PostgresDatabase({ url });
  const reads = new LimitedDatabase(db, API_LIMITS, { places: 3, current: currentWork });
  const watch = new pg.Client({ connectionString: url });
  await watch.connect();
  const sleeping = async () =>
    (await watch.query(
      "select 1 from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()",
    )).rowCount;
  let started = 0;
  const stack = await Stack.start(db, undefined, {
    handlers: {
      listFlows: async () => {
        started++;
        await reads.tenant("main", (tx) => tx.rows(sql`select pg_sleep(60)`));
        return { data: [], nextCursor: null };
      },
      listDevices: async () => ({
        data: await reads.tenant("main", (tx) => tx.rows(sql`select 1 as answered`)),
        nextCursor: null,
      }),
    },
  });
  try {
    const [heavy, other] = [
      await stack.browser().signIn("analyst"),
      await stack.browser().signIn("admin"),
    ];
    const gone = new AbortController();
    // The session admits 32 at a time; the rest is refused at once.
    const closed = Array.from(
      { length: REQUESTS },
      () =>
        heavy.request("/api/v1/flows", { signal: gone.signal }).then(
          (response) => response.body?.cancel(),
          () => {},
        ),
    );
    while (started < 10 || await sleeping() !== 2) await new Promise((resolve) => setTimeout(resolve, 20));
    // One person takes two of three places, so another one is answered meanwhile.
    assert.deepEqual((await other.json("/api/v1/devices")).body.data, [{ answered: 1 }]);
    assert.equal(await sleeping(), 2);

    gone.abort();
    await Promise.all(closed);
    for (let tries = 0; await sleeping() !== 0; tries++) {
      assert.ok(tries < 500, `${await sleeping()} statements still run`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.deepEqual((await heavy.json("/api/v1/devices")).body.data, [{ answered: 1 }]);
  } finally {
    await stack.close();
    await watch.end();
    await db.close();
    await drop();
  }
});
