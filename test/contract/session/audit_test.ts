// The audit log through the API: what writes, refusals and sessions leave, and who can read it.

import assert from "node:assert/strict";
import { type Route, ROUTES } from "../../../src/contract/routes.ts";
import { SESSIONS_PATH } from "../../../src/contract/session/service-session.ts";
import { sha256Hex } from "../../../src/kit/hash.ts";
import { addAudit } from "../../../src/store/session/audit.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, DAY, NOW, refusal, SECOND, ZEEK } from "../api.ts";
import { auditRow, entriesOf, NOBODY } from "./audit.ts";
import { coreOn, echoHandlers, type Sent } from "../core.ts";
import { conn } from "../records.ts";
import { aRequestFor } from "../requests.ts";
import { HandClock } from "../support.ts";

const ADMIN = { roles: ["admin" as const] };
const SERVICE = { tenantId: null, roles: [], subject: "ndr-web" } satisfies Partial<Sent>;

testDatabase(
  "audit: every write of the route table leaves one row, also when repeated",
  async (db) => {
    const core = coreOn(db, { handlers: echoHandlers() });
    for (const [id, route] of Object.entries(ROUTES) as [string, Route][]) {
      if (!route.write || route.servedBy !== "core") continue;
      const request = { ...aRequestFor(route), roles: [route.role] };
      for (let i = 0; i < 2; i++) assert.equal((await core.send(request)).status, route.status, id);

      const rows = await entriesOf(db, "main", { operation: id });
      assert.equal(rows.length, 1, id);
      const [row] = rows;
      assert.equal(row!.outcome, "done");
      assert.equal(row!.status, route.status);
      assert.equal(row!.subject, "ada");
      assert.equal(row!.roles, route.role);
      const isEmpty = Object.keys(request.body as object).length === 0;
      assert.equal(JSON.parse(row!.changes).length > 0, !isEmpty, `${id} records the request`);
      assert.equal(
        row!.target_id,
        route.path.includes("{") ? "0190b2c3-0000-7000-8000-000000000001" : null,
        id,
      );
    }
  },
);

testDatabase("audit: reads leave nothing, missing rights leave a refusal", async (db) => {
  const core = coreOn(db);
  for (const [id, route] of Object.entries(ROUTES) as [string, Route][]) {
    if (route.servedBy !== "core") continue;
    const roles = route.role === "analyst" ? ["reader" as const] : ["analyst" as const];
    const { status } = await core.send({ ...aRequestFor(route), roles });
    const rows = await entriesOf(db, "main", { operation: id });
    if (route.role === "reader") {
      assert.equal(status, route.status, id);
      assert.deepEqual(rows, [], id);
      continue;
    }
    assert.equal(status, 403, id);
    assert.deepEqual(
      rows.map((row) => [row.outcome, row.status, row.error_code, row.roles]),
      [["refused", 403, "forbidden", roles.join()]],
      id,
    );
  }
});

testDatabase(
  "audit: a device's change with old and new values; a failed effect leaves nothing",
  async (db) => {
    const api = new Api(db);
    await api.take(ZEEK, [conn()]);
    const deviceId = (await api.read("listDevices")).data[0]!.device_id;
    const path = { device_id: deviceId };
    const changed = await api.change("patchDevice", path, {
      body: { display_name: "Printer, 2nd floor", tags: ["a", "b"] },
      revision: 1,
    });
    assert.equal(changed.status, 200);
    const requestId = (await changed.json()).meta.request_id;
    // Entries of one moment have no defined order.
    api.clock.advance(1);
    const stale = await api.change("patchDevice", path, { body: { owner: "x" }, revision: 1 });
    assert.equal(stale.status, 412);

    // The window ends now and excludes what is written at this moment.
    api.clock.advance(1);
    const { data } = await api.read("listAudit", {}, ADMIN);
    const [refused, done] = data;
    assert.equal(data.length, 2);
    assert.equal(done!.request_id, requestId);
    assert.deepEqual([done!.target_type, done!.target_id], ["device", deviceId]);
    assert.deepEqual(done!.changes, [
      { field: "display_name", from: "10.0.0.5", to: "Printer, 2nd floor" },
      { field: "tags", from: "[]", to: '["a","b"]' },
    ]);
    assert.equal(refused!.outcome, "refused");
    assert.equal(refused!.error_code, "revision_conflict");
    assert.deepEqual(refused!.changes, [{ field: "owner", from: null, to: "x" }]);
    assert.equal(refused!.status, 412);
  },
);

testDatabase("audit: a rolled back effect takes its row with it", async (db) => {
  const core = coreOn(db, {
    handlers: echoHandlers({ patchDevice: () => Promise.reject(new Error("boom")) }),
  });
  assert.equal((await core.send({ ...aRequestFor(ROUTES.patchDevice), roles: ["analyst"] })).status, 500);
  assert.deepEqual(await entriesOf(db, "main"), []);
});

testDatabase("audit: for admins only, per tenant, windowed, filtered, page by page", async (db) => {
  const api = new Api(db);
  const times = Array.from({ length: 25 }, (_, i) => NOW - 60 * SECOND + Math.floor(i / 5) * SECOND);
  await db.tenant("main", async (tx) => {
    for (const [i, at] of times.entries()) {
      await addAudit(
        tx,
        "main",
        auditRow({
          at,
          operation: i % 2 === 0 ? "patchIncident" : "patchDevice",
          subject: i < 20 ? "ada" : "bob",
          outcome: i === 3 ? "refused" : "done",
          targetId: `t-${i}`,
        }),
      );
    }
    await addAudit(tx, "main", auditRow({ at: NOW - DAY, operation: "signIn" }));
  });
  await db.tenant(
    "branch",
    (tx) => addAudit(tx, "branch", auditRow({ at: NOW - SECOND, subject: "foreign" })),
  );

  for (const roles of [["reader"], ["analyst"], ["responder"]] as const) {
    await refusal(await api.send("listAudit", {}, { roles: [...roles] }), 403, "forbidden");
  }
  const all = (await api.read("listAudit", { operation: "patchIncident", subject: "ada" }, ADMIN)).data;
  assert.equal(all.length, 10);
  const count = async (query: Record<string, string>) =>
    (await api.read("listAudit", query, ADMIN)).data.length;
  assert.equal(await count({ target_id: "t-7" }), 1);
  assert.equal(await count({ outcome: "refused", subject: "ada", operation: "patchDevice" }), 1);
  assert.equal(await count({ operation: "signIn" }), 0, "the default window is the last 15 minutes");
  assert.equal(await count({ operation: "signIn", from: "2026-01-01T00:00:00Z" }), 1);
  assert.equal(await count({ subject: "foreign" }), 0);
  assert.equal((await api.read("listAudit", {}, { ...ADMIN, tenantId: "branch" })).data.length, 1);
  await refusal(await api.send("listAudit", { operation: "a b" }, ADMIN), 400, "invalid_request");

  const seen: string[] = [];
  let cursor: string | null = null;
  type Page = Awaited<ReturnType<typeof api.read<"listAudit">>>;
  do {
    const query: Record<string, string | number> = { limit: 7, subject: "ada" };
    const page: Page = await api.read("listAudit", cursor === null ? query : { ...query, cursor }, ADMIN);
    seen.push(...page.data.map((entry) => entry.audit_id));
    cursor = page.next_cursor;
    // Additions while paging are not part of it.
    await db.tenant("main", (tx) => addAudit(tx, "main", auditRow({ at: NOW, subject: "ada" })));
  } while (cursor !== null);
  assert.equal(seen.length, 20);
  assert.equal(new Set(seen).size, 20);
});

testDatabase(
  "audit: each tenant of a session gets its start and end, and no other tenant does",
  async (db) => {
    const core = coreOn(db);
    const call = (method: string, path: string, body?: unknown) =>
      core.send({ method, target: `${SESSIONS_PATH}${path}`, body, ...SERVICE });
    const session = (cookie: string, grants: unknown[], subject = "ada") => ({
      token_hash: sha256Hex(cookie),
      subject,
      display_name: "Ada Lovelace",
      claims: { sub: subject },
      selected_tenant: null,
      csrf_token: "c".repeat(43),
      grants,
    });
    const both = [{ tenant_id: "main", roles: ["analyst"] }, { tenant_id: "branch", roles: ["reader"] }];
    const selection = {
      tenant_id: "branch",
      idempotency_key: "k",
      fingerprint: sha256Hex("the request"),
      answer: "{}",
    };
    const { data } = await (await call("POST", "", session("one", both))).json();
    await call("POST", `/${sha256Hex("one")}/tenant`, selection);
    await call("POST", `/${sha256Hex("one")}/tenant`, selection);
    await call("DELETE", `/${sha256Hex("one")}`);
    await call("DELETE", `/${sha256Hex("one")}`);
    await call("POST", "", session("two", both.slice(1)));
    await call("POST", "/revocations", { subject: "ada" });
    await call("POST", "", session("three", both.slice(0, 1)));
    await call("DELETE", `/${sha256Hex("three")}?reason=accessWithdrawn`);
    assert.equal((await call("DELETE", `/${sha256Hex("three")}?reason=because`)).status, 400);

    const told = async (tenant: string) =>
      (await entriesOf(db, tenant)).map((row) => `${row.operation} ${row.roles}`).sort();
    assert.deepEqual(await told("main"), [
      "accessWithdrawn analyst",
      "signIn analyst",
      "signIn analyst",
      "signOut analyst",
    ]);
    assert.deepEqual(await told("branch"), [
      "selectTenant reader",
      "sessionRevoked reader",
      "signIn reader",
      "signIn reader",
      "signOut reader",
    ]);
    const [row] = await entriesOf(db, "main", { operation: "signOut" });
    assert.equal(row!.session_id, data.session_id);
    assert.equal(row!.display_name, "Ada Lovelace");
    assert.ok(!JSON.stringify(await entriesOf(db, "main")).includes(sha256Hex("one")), "no hash of a cookie");
  },
);

testDatabase(
  "audit: refusals of the web layer are recorded; sign-ins of strangers outside any tenant",
  async (db) => {
    const core = coreOn(db);
    const report = (body: Record<string, unknown>) =>
      core.send({ method: "POST", target: "/internal/v1/audit/refusals", body, ...SERVICE });
    const forbidden = { status: 403, error_code: "forbidden", reason: "no", display_name: null };
    const main = { tenant_id: "main", roles: ["reader"] };
    const known = { ...forbidden, operation: "patchDevice", subject: "ada", grants: [main] };
    assert.equal((await report(known)).status, 201);
    assert.equal(
      (await report({ ...forbidden, operation: "signIn", subject: "mallory", grants: [] })).status,
      201,
    );
    assert.equal((await report({ ...known, tenant: "branch" })).status, 400);

    assert.deepEqual((await entriesOf(db, "main")).map((row) => [row.operation, row.outcome]), [[
      "patchDevice",
      "refused",
    ]]);
    assert.deepEqual((await entriesOf(db, NOBODY)).map((row) => row.subject), ["mallory"]);

    // A flood of sign-ins fills no disk.
    let recorded = 0;
    for (let i = 0; i < 210; i++) {
      const response = await report({ ...forbidden, operation: "signIn", subject: `m${i}`, grants: [] });
      if ((await response.json()).data.recorded) recorded++;
    }
    assert.equal(recorded, 199);
    const asPerson = await core.send({
      method: "POST",
      target: "/internal/v1/audit/refusals",
      body: known,
      roles: ["admin"],
    });
    assert.equal(asPerson.status, 401);
  },
);

testDatabase("audit: an answer of the list matches the contract", async (db) => {
  const api = new Api(db);
  await db.tenant("main", (tx) =>
    addAudit(
      tx,
      "main",
      auditRow({
        at: NOW - SECOND,
        roles: ["admin", "analyst"],
        changes: [{ field: "status", from: "open", to: "resolved" }],
        clientAddress: "192.0.2.7",
        userAgent: "Firefox\u0000",
      }),
    ));
  const response = await api.send("listAudit", {}, ADMIN);
  assert.match(response.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  const { data: [entry] } = await checked("listAudit", response);
  assert.deepEqual(entry!.roles, ["admin", "analyst"]);
  assert.equal(entry!.at, "2026-01-31T07:14:59.000Z");
  assert.equal(entry!.user_agent, "Firefox\ufffd");
});

testDatabase("audit: repeated refusals of a person fill no disk", async (db) => {
  const core = coreOn(db, { clock: new HandClock(NOW) });
  const knock = (subject: string) =>
    core.send({ method: "GET", target: "/api/v1/audit", roles: ["reader"], subject });
  for (let i = 0; i < 310; i++) assert.equal((await knock("mallory")).status, 403);
  assert.equal((await knock("ada")).status, 403);
  assert.equal((await entriesOf(db, "main", { subject: "mallory" })).length, 300);
  assert.equal((await entriesOf(db, "main", { subject: "ada" })).length, 1, "others are not affected");
  // Changes are recorded all the same.
  const device = { ...aRequestFor(ROUTES.patchDevice), roles: ["analyst" as const], subject: "mallory" };
  assert.equal((await core.send(device)).status, 200);
  assert.equal((await entriesOf(db, "main", { subject: "mallory" })).length, 301);
});
