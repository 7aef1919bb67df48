import assert from "node:assert/strict";
import { sha256Hex } from "../../../src/kit/hash.ts";
import { purgeSessions } from "../../../src/store/session/sessions.ts";
import { testDatabase } from "../../support/database.ts";
import { entriesOf } from "./audit.ts";
import { coreOn, type Sent } from "../core.ts";

const HASH = sha256Hex("the cookie of ada");
const SERVICE = { tenantId: null, roles: [], subject: "ndr-web" } satisfies Partial<Sent>;
const session = (change: Record<string, unknown> = {}) => ({
  token_hash: HASH,
  subject: "ada",
  display_name: "Ada Lovelace",
  claims: { sub: "ada", groups: ["soc", "größe \u0000"], nested: { a: [1, null] } },
  selected_tenant: null,
  csrf_token: "c".repeat(43),
  ...change,
});

testDatabase("core: a session is stored, found by the hash of its cookie, and ends", async (db) => {
  const core = coreOn(db);
  const call = (method: string, path: string, body?: unknown) =>
    core.send({ method, target: `/internal/v1/sessions${path}`, body, ...SERVICE });

  const created = await call("POST", "", session());
  assert.equal(created.status, 201);
  const { data } = await created.json();
  assert.equal(data.expires_at, "2026-01-31T19:15:00.000Z");
  assert.ok(!JSON.stringify(data).includes(HASH));

  const found = await (await call("GET", `/${HASH}`)).json();
  assert.deepEqual(found.data, data);
  assert.deepEqual(found.data.claims, session().claims);
  assert.equal((await call("GET", `/${sha256Hex("another")}`)).status, 404);
  assert.equal((await call("GET", "/not-a-hash")).status, 404);

  core.clock.advance(12 * 3600 - 1);
  assert.equal((await call("GET", `/${HASH}`)).status, 200);
  core.clock.advance(1);
  assert.equal((await call("GET", `/${HASH}`)).status, 404);
  assert.equal((await db.shared((tx) => purgeSessions(tx, core.clock.now()))).length, 1);

  for (const cookie of ["one", "two"]) await call("POST", "", session({ token_hash: sha256Hex(cookie) }));
  await call("POST", "", session({ token_hash: sha256Hex("three"), subject: "bob" }));
  assert.deepEqual((await (await call("DELETE", `/${sha256Hex("one")}`)).json()).data, { ended: 1 });
  assert.deepEqual((await (await call("DELETE", `/${sha256Hex("one")}`)).json()).data, { ended: 0 });
  assert.equal((await call("GET", `/${sha256Hex("one")}`)).status, 404);
  assert.deepEqual((await (await call("POST", "/revocations", { subject: "ada" })).json()).data, {
    ended: 1,
  });
  assert.equal((await call("GET", `/${sha256Hex("two")}`)).status, 404);
  assert.equal((await call("GET", `/${sha256Hex("three")}`)).status, 200);

  assert.equal((await call("POST", "", session({ tenant: "main" }))).status, 400);
  assert.equal((await call("POST", "", session({ token_hash: "short" }))).status, 400);
});

testDatabase("core: selecting a tenant again with the same key changes nothing", async (db) => {
  const core = coreOn(db);
  const call = (path: string, body: unknown) =>
    core.send({ method: "POST", target: `/internal/v1/sessions${path}`, body, ...SERVICE });
  const select = (tenant_id: string, idempotency_key: string, answer = `{"selected":"${tenant_id}"}`) => {
    const fingerprint = sha256Hex(tenant_id);
    return call(`/${HASH}/tenant`, { tenant_id, idempotency_key, fingerprint, answer });
  };
  const selected = async () => {
    const response = await core.send({ target: `/internal/v1/sessions/${HASH}`, ...SERVICE });
    return (await response.json()).data.selected_tenant;
  };

  await call("", session());
  assert.equal((await select("main", "k1")).status, 200);
  assert.equal((await select("branch", "k2")).status, 200);
  // A late retry of the first one returns its answer, and the newer selection stays.
  const { data } = await (await select("main", "k1", "another answer")).json();
  assert.deepEqual([data.selected_tenant, data.answer], ["main", '{"selected":"main"}']);
  assert.equal(await selected(), "branch");
  assert.equal((await select("branch", "k1")).status, 422);

  for (let i = 0; i < 120; i++) {
    assert.equal((await select(i % 2 ? "main" : "branch", `many${i}`)).status, 200);
  }
  assert.equal(await selected(), "main");
  // After any number of others.
  assert.equal((await select("main", "k1")).status, 200);
  assert.equal(await selected(), "main");
  const nobody = { tenant_id: "main", idempotency_key: "k", fingerprint: sha256Hex("main"), answer: "{}" };
  assert.equal((await call(`/${sha256Hex("nobody")}/tenant`, nobody)).status, 404);

  // Concurrently: one selects, all get its answer.
  const together = await Promise.all(
    Array.from({ length: 20 }, (_, n) => select("branch", "together", `answer ${n}`)),
  );
  const answers = new Set<string>();
  for (const response of together) {
    assert.equal(response.status, 200);
    answers.add((await response.json()).data.answer);
  }
  assert.equal(answers.size, 1);
});

testDatabase("core: a person has at most 20 sessions; a further sign-in ends the oldest", async (db) => {
  const core = coreOn(db);
  const call = (method: string, path: string, body?: unknown) =>
    core.send({ method, target: `/internal/v1/sessions${path}`, body, ...SERVICE });
  const hash = (name: string) => sha256Hex(name);
  const grants = [{ tenant_id: "main", roles: ["analyst"] }];
  const signIn = async (name: string, subject = "ada") => {
    core.clock.advance(1);
    const { status } = await call("POST", "", session({ token_hash: hash(name), subject, grants }));
    assert.equal(status, 201);
  };
  await signIn("bob's", "bob");
  for (let n = 0; n < 22; n++) await signIn(`${n}`);
  const living = [];
  for (let n = 0; n < 22; n++) {
    if ((await call("GET", `/${hash(`${n}`)}`)).status === 200) living.push(n);
  }
  assert.deepEqual(living, Array.from({ length: 20 }, (_, n) => n + 2));
  assert.equal((await call("GET", `/${hash("bob's")}`)).status, 200);
  const evicted = await entriesOf(db, "main", { operation: "sessionEvicted" });
  assert.deepEqual(evicted.map(({ subject }) => subject), ["ada", "ada"]);

  // Together, too.
  const together = Array.from(
    { length: 10 },
    (_, n) => call("POST", "", session({ token_hash: hash(`together ${n}`), grants })),
  );
  await Promise.all(together);
  const { data } = await (await call("POST", "/revocations", { subject: "ada" })).json();
  assert.equal(data.ended, 20);
});

testDatabase("audit: selecting the tenant that is already selected leaves no row", async (db) => {
  const core = coreOn(db);
  const grants = ["main", "branch"].map((tenant_id) => ({ tenant_id, roles: ["analyst"] }));
  const call = (path: string, body: unknown) =>
    core.send({ method: "POST", target: `/internal/v1/sessions${path}`, body, ...SERVICE });
  await call("", session({ selected_tenant: "main", grants }));
  const select = async (tenant_id: string, idempotency_key: string) => {
    const selection = { tenant_id, idempotency_key, fingerprint: sha256Hex(tenant_id), answer: "{}" };
    assert.equal((await call(`/${HASH}/tenant`, selection)).status, 200);
  };
  const rows = async (tenant: string) => (await entriesOf(db, tenant, { operation: "selectTenant" })).length;
  for (let n = 0; n < 50; n++) await select("main", `main ${n}`);
  assert.equal(await rows("main"), 0);
  await select("branch", "change");
  await select("branch", "the same");
  assert.deepEqual([await rows("main"), await rows("branch")], [0, 1]);
});

testDatabase("audit: session events of a person have a budget, as refusals have", async (db) => {
  const core = coreOn(db);
  const grants = [{ tenant_id: "main", roles: ["analyst"] }];
  const signIns = async (subject: string, count: number) => {
    for (let n = 0; n < count; n++) {
      const target = "/internal/v1/sessions";
      const token_hash = sha256Hex(`${subject} ${n} ${core.clock.now()}`);
      const body = session({ token_hash, subject, grants });
      assert.equal((await core.send({ method: "POST", target, body, ...SERVICE })).status, 201);
    }
    return (await entriesOf(db, "main", { subject })).length;
  };
  assert.equal(await signIns("ada", 170), 300);
  assert.equal(await signIns("bob", 1), 1, "another person has a budget of their own");
  core.clock.advance(600);
  assert.equal(await signIns("ada", 60), 360, "six per minute are recorded after that");
});
