import assert from "node:assert/strict";
import { ApiError } from "../../../src/contract/request/errors.ts";
import { purgeAnswers } from "../../../src/store/session/idempotency.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { coreOn, echoHandlers, type Sent } from "../core.ts";

const DEVICE = "00000000-0000-4000-8000-000000000001";

/** A write whose every effect leaves a row, and that behaves as its body's `owner` says. */
function counting(db: Database) {
  const gate = { open: Promise.resolve(), reached: () => {} };
  const handlers = echoHandlers({
    patchDevice: async ({ tx, caller, body }) => {
      const { owner } = body as { owner: string };
      await tx!.run(sql`
        insert into device_tag (tenant_id, device_id, tag)
        values (${caller.tenantId}, ${DEVICE}, ${crypto.randomUUID()})`);
      gate.reached();
      await gate.open;
      if (owner === "stale") throw new ApiError("revision_conflict", undefined, { revision: 9 });
      if (owner === "later") throw new ApiError("budget_exhausted");
      if (owner === "crash") throw new Error("boom");
      return { data: { owner, at: crypto.randomUUID() }, etag: 4, status: 200 };
    },
  });
  const effects = async (tenant = "main") => {
    const [row] = await db.tenant(
      tenant,
      (tx) =>
        tx.rows<{ n: number }>(sql`select count(*)::int as n from device_tag where tenant_id = ${tenant}`),
    );
    return row!.n;
  };
  const write = (owner: string, key: string, change: Partial<Sent> = {}): Sent => ({
    method: "PATCH",
    target: "/api/v1/devices/d1",
    body: { owner },
    ...change,
    headers: { "idempotency-key": key, "if-match": '"3"', ...change.headers },
  });
  return { gate, handlers, effects, write };
}

testDatabase("idempotency: a repeated write has one effect and one answer", async (db) => {
  const { handlers, effects, write } = counting(db);
  const core = coreOn(db, { handlers });
  const other = coreOn(db, { handlers, clock: core.clock });

  const first = await core.send(write("ada", "k1"));
  const text = await first.text();
  const again = await other.send(write("ada", "k1"));
  assert.equal(again.status, 200);
  assert.equal(await again.text(), text, "word for word, including its request id");
  assert.equal(again.headers.get("etag"), '"4"');
  assert.equal(await effects(), 1);

  // Another body or path is another request and refused for every client; the first one is safe.
  for (
    const change of [
      { body: { owner: "bob" } },
      { body: '{ "owner": "ada" }' },
      { target: "/api/v1/devices/d2" },
      { target: "/api/v1/incidents/d1", body: { status: "open" } },
    ]
  ) {
    const refused = await core.send(write("ada", "k1", change));
    assert.equal(refused.status, 422, JSON.stringify(change));
    assert.equal((await refused.json()).error.code, "invalid_request");
  }
  assert.equal(await effects(), 1);

  // The same key of another person or tenant is another key.
  assert.equal((await core.send(write("ada", "k1", { subject: "bob" }))).status, 200);
  assert.equal((await core.send(write("ada", "k1", { tenantId: "branch" }))).status, 200);
  assert.equal(await effects(), 2);
  assert.equal(await effects("branch"), 1);

  // Answers are kept for a day.
  core.clock.advance(24 * 3600 - 1);
  assert.equal(await (await core.send(write("ada", "k1"))).text(), text);
  core.clock.advance(2);
  assert.notEqual(await (await core.send(write("ada", "k1"))).text(), text);
  assert.equal(await effects(), 3);
  assert.equal(await db.tenant("main", (tx) => purgeAnswers(tx, "main", core.clock.now())), 1);
});

testDatabase("idempotency: neither refusals nor failures have an effect", async (db) => {
  const { handlers, effects, write } = counting(db);
  const core = coreOn(db, { handlers });

  const stale = await core.send(write("stale", "k1"));
  assert.equal(stale.status, 412);
  const text = await stale.text();
  assert.deepEqual(JSON.parse(text).error.details, { reason: "revision_conflict", revision: 9 });
  const again = await core.send(write("stale", "k1"));
  assert.equal(again.status, 412);
  assert.notEqual(await again.text(), text, "decided again");
  const corrected = await core.send(write("ada", "k1", { headers: { "if-match": '"9"' } }));
  assert.equal(corrected.status, 200, "a refused write leaves its key free");

  for (const [owner, status] of [["crash", 500], ["later", 429]] as const) {
    const ids = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const response = await core.send(write(owner, owner));
      assert.equal(response.status, status);
      ids.add((await response.json()).error.request_id);
    }
    assert.equal(ids.size, 2, "each time a new answer");
  }
  assert.equal(await effects(), 1);

  // An invalid request claims no key.
  assert.equal((await core.send(write("", "k2"))).status, 400);
  assert.equal((await core.send(write("ada", "k2"))).status, 200);
});

testDatabase("idempotency: while a request is answered, its repetition is told to wait", async (db) => {
  const { gate, handlers, effects, write } = counting(db);
  const core = coreOn(db, { handlers });
  let release = () => {};
  gate.open = new Promise((resolve) => release = resolve);
  const reached = new Promise<void>((resolve) => gate.reached = resolve);

  const first = core.send(write("ada", "k1"));
  // PGlite has one connection: the repetition cannot even be sent during a transaction.
  if (db.engine === "postgres") {
    await reached;
    const waiting = await core.send(write("ada", "k1"));
    assert.equal(waiting.status, 409);
    assert.ok(Number(waiting.headers.get("retry-after")) >= 1);
    assert.equal((await waiting.json()).error.code, "invalid_request");
    assert.equal((await core.send(write("bob", "k1"))).status, 422);
  }
  release();
  assert.equal((await first).status, 200);
  assert.equal((await core.send(write("ada", "k1"))).status, 200);

  const together = await Promise.all(Array.from({ length: 8 }, () => core.send(write("ada", "k2"))));
  const statuses = new Set(together.map((response) => response.status));
  assert.ok(statuses.has(200) && [...statuses].every((status) => status === 200 || status === 409));
  assert.equal(await effects(), 2);
});

testDatabase("idempotency: the claim of a dead holder expires after five minutes", async (db) => {
  const { handlers, effects, write } = counting(db);
  const core = coreOn(db, { handlers });
  assert.equal((await core.send(write("ada", "k1"))).status, 200);
  // As left by a process that dies between claim and effect.
  await db.tenant(
    "main",
    (tx) => tx.run(sql`update idempotency set status = null, body = null, etag = null`),
  );
  await db.tenant("main", (tx) => tx.run(sql`delete from device_tag`));

  core.clock.advance(299);
  assert.equal((await core.send(write("ada", "k1"))).status, 409);
  assert.equal(await effects(), 0);
  core.clock.advance(1);
  assert.equal((await core.send(write("ada", "k1"))).status, 200);
  assert.equal((await core.send(write("ada", "k1"))).status, 200);
  assert.equal(await effects(), 1);
});

/**
 * The same database, whose tenant transactions wait before they begin if `before` says so; counted from 1.
 */
function waiting(db: Database, before: (transaction: number) => Promise<void>): Database {
  let transactions = 0;
  return {
    engine: db.engine,
    tenant: async (tenantId, work) => {
      await before(++transactions);
      return await db.tenant(tenantId, work);
    },
    shared: (work) => db.shared(work),
    owner: (work) => db.owner(work),
    close: () => db.close(),
  };
}

testDatabase("idempotency: a holder that lost its claim does nothing", async (db) => {
  const { handlers, effects, write } = counting(db);
  for (const [owner, status] of [["ada", 200], ["stale", 412]] as const) {
    const claimed = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    // Between the claim (first transaction) and the effect (second).
    const slow = waiting(db, async (transaction) => {
      if (transaction !== 2) return;
      claimed.resolve();
      await goOn.promise;
    });
    const late = coreOn(slow, { handlers });
    const core = coreOn(db, { handlers, clock: late.clock });
    const before = await effects();
    const request = write(owner, `late-${owner}`);
    const first = late.send(request);
    await claimed.promise;
    assert.equal((await core.send(request)).status, 409, "the lease holds");
    late.clock.advance(300);
    const second = await core.send(request);
    const text = await second.text();
    assert.equal(second.status, status);
    goOn.resolve();
    const answer = await first;
    assert.equal(answer.status, 409, "another request owns the claim");
    assert.equal((await answer.json()).error.details.reason, "idempotency_in_progress");
    if (status === 200) assert.equal(await (await core.send(request)).text(), text);
    assert.equal(await effects(), before + (status === 200 ? 1 : 0));
  }
});

testDatabase("idempotency: a refusal under a lost claim is not the stored answer", async (db) => {
  const { handlers, write } = counting(db);
  const refused = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  // Between the effect, which refuses, and the third transaction, which would store the refusal.
  const slow = waiting(db, async (transaction) => {
    if (transaction !== 3) return;
    refused.resolve();
    await goOn.promise;
  });
  const late = coreOn(slow, { handlers });
  const core = coreOn(db, { handlers, clock: late.clock });
  const first = late.send(write("stale", "k1"));
  await refused.promise;
  late.clock.advance(300);
  assert.equal((await core.send(write("stale", "k1"))).status, 412);
  const kept = await (await core.send(write("ada", "k1"))).text();
  goOn.resolve();
  assert.equal((await first).status, 409);
  assert.equal(await (await core.send(write("ada", "k1"))).text(), kept);
});

testDatabase("idempotency: the claim of an active holder cannot be taken over", async (db) => {
  // PGlite has one connection: nothing can come in between.
  if (db.engine === "pglite") return;
  const { gate, handlers, effects, write } = counting(db);
  const core = coreOn(db, { handlers });
  const goOn = Promise.withResolvers<void>();
  gate.open = goOn.promise;
  const reached = new Promise<void>((resolve) => gate.reached = resolve);
  const first = core.send(write("ada", "k1"));
  await reached;
  core.clock.advance(400);
  assert.equal((await core.send(write("ada", "k1"))).status, 409, "despite the delay");
  goOn.resolve();
  const text = await (await first).text();
  assert.equal(await (await core.send(write("ada", "k1"))).text(), text);
  assert.equal(await effects(), 1);
});
