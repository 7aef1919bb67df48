// A core whose database is slow: every answer comes in bounded time, as a 503, or a 429 for those in
// the queue, with a retry time.

import assert from "node:assert/strict";
import pg from "pg";
import { LimitedDatabase } from "../../../src/store/engine/limited.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { coreOn, echoHandlers, type TestCore } from "../core.ts";

const LIMITS = { statementMs: 500, lockMs: 300, waitMs: 700, answerMs: 2_000 };
/** On a busy machine too. */
const BOUND = 10_000;

async function unavailable(answer: Promise<Response>): Promise<void> {
  const started = Date.now();
  const response = await answer;
  const text = await response.text();
  assert.ok(Date.now() - started < BOUND);
  assert.ok(Number(response.headers.get("retry-after")) > 0);
  const { error } = JSON.parse(text);
  assert.equal(error.code, "source_unavailable");
  const reason = response.status === 429 ? "busy" : "store";
  assert.deepEqual([response.status, error.details], [reason === "busy" ? 429 : 503, { reason }]);
}

function patch(core: TestCore, key: string): Promise<Response> {
  return core.send({
    method: "PATCH",
    target: "/api/v1/devices/d1",
    body: { owner: "ada" },
    headers: { "idempotency-key": key, "if-match": '"1"' },
  });
}

async function withCore(
  work: (core: TestCore, client: pg.Client) => Promise<void>,
): Promise<void> {
  const { url, drop } = await freshPostgres();
  const server = new PostgresDatabase({ url, poolSize: 4 });
  const db = new LimitedDatabase(server, LIMITS, { places: 4, current: () => null });
  const client = new pg.Client({ connectionString: url });
  const handlers = echoHandlers({
    getSite: async () => ({ data: await db.tenant("main", (tx) => tx.rows(sql`select pg_sleep(30)`)) }),
    listDevices: async () => ({
      data: await db.tenant(
        "main",
        (tx) => tx.rows(sql`select device_id from device where tenant_id = 'main'`),
      ),
      nextCursor: null,
    }),
  });
  try {
    await client.connect();
    await work(coreOn(db, { handlers }), client);
  } finally {
    await client.end();
    await server.close();
    await drop();
  }
}

if (POSTGRES_URL !== "") {
  Deno.test("statement limits: a slow statement, or many of them, does not delay other requests for long", async () => {
    await withCore(async (core) => {
      await unavailable(core.send({ target: "/api/v1/site" }));
      // Two run at once; the others wait for a place and get one or a refusal.
      await Promise.all(Array.from({ length: 8 }, () => unavailable(core.send({ target: "/api/v1/site" }))));
      assert.equal((await core.send({ target: "/api/v1/devices" })).status, 200);
    });
  });

  Deno.test("statement limits: a lock that another connection holds, for a read and for a write", async () => {
    await withCore(async (core, client) => {
      await client.query("begin; lock table device in access exclusive mode");
      await unavailable(core.send({ target: "/api/v1/devices" }));
      await client.query("commit");
      assert.equal((await core.send({ target: "/api/v1/devices" })).status, 200);

      await client.query("begin; lock table idempotency in access exclusive mode");
      await unavailable(patch(core, "k1"));
      await client.query("commit");
      // Nothing was stored of the first try, so the same key works.
      const again = await patch(core, "k1");
      assert.equal(again.status, 200, await again.text());
    });
  });
}
