// Audit entries of users who come through the web layer, and the single identifier of each request.

import assert from "node:assert/strict";
import { AccessPolicy } from "../../../src/config/access.ts";
import { CONTEXT_HEADER, openContext, sealContext } from "../../../src/contract/request/context.ts";
import { SIGNED_HEADERS } from "../../../src/contract/request/signed-request.ts";
import { newRequest } from "../../../src/observe/request-scope.ts";
import { entriesOf, NOBODY } from "../../contract/session/audit.ts";
import { type Stack, testStack } from "./web-stack.ts";

const DEVICE = "/api/v1/devices/0190b2c3-0000-7000-8000-000000000001";

async function operations(stack: Stack, tenant: string | null): Promise<string[]> {
  return (await entriesOf(stack.db, tenant)).map(({ operation, outcome, subject }) =>
    `${operation} ${outcome} ${subject}`
  ).sort();
}

testStack(
  "audit: sign-in, choice of a tenant, another sign-in and sign-out are recorded for the tenants",
  async (stack) => {
    const person = await stack.browser().signIn("multi");
    assert.equal((await person.write("POST", "/api/v1/session/tenant", { tenant_id: "branch" })).status, 200);
    assert.equal((await person.write("POST", "/api/v1/session/tenant", { tenant_id: "other" })).status, 403);
    await person.signIn("analyst");
    await person.write("POST", "/auth/logout", undefined);

    assert.deepEqual(await operations(stack, "main"), [
      "sessionReplaced done multi",
      "signIn done analyst",
      "signIn done multi",
      "signOut done analyst",
    ]);
    assert.deepEqual(await operations(stack, "branch"), [
      "selectTenant done multi",
      "selectTenant refused multi",
      "sessionReplaced done multi",
      "signIn done multi",
    ]);
    const [entry] = await entriesOf(stack.db, "branch", { operation: "signIn" });
    assert.equal(entry!.client_address, "127.0.0.1");
    assert.match(entry!.user_agent ?? "", /Deno/);
    assert.match(entry!.session_id ?? "", /^[0-9a-f-]{36}$/);
    const dump = JSON.stringify(await entriesOf(stack.db, "main"));
    assert.ok(!dump.includes(person.cookie("ndr-session")?.value ?? "none"), "no cookie");
  },
);

testStack("audit: a sign-in without any access is recorded for no tenant", async (stack) => {
  stack.policy = new AccessPolicy([]);
  const { response } = await stack.browser().visit("/auth/login?login_hint=reader");
  assert.equal(response.status, 403);
  await response.body?.cancel();
  assert.deepEqual(await operations(stack, NOBODY), ["signIn refused reader"]);
  assert.deepEqual(await operations(stack, "main"), []);
});

testStack("audit: access withdrawn by the rules ends the session and is recorded", async (stack) => {
  const person = await stack.browser().signIn("analyst");
  stack.policy = new AccessPolicy([]);
  assert.equal((await person.json("/api/v1/site")).status, 401);
  assert.deepEqual(await operations(stack, "main"), ["accessWithdrawn done analyst", "signIn done analyst"]);
});

testStack(
  "audit: requests the web layer refuses for lack of rights are recorded, malformed ones are not",
  async (stack) => {
    const reader = await stack.browser().signIn("reader");
    const patch = (headers: Record<string, string | undefined> = {}) =>
      reader.write("PATCH", DEVICE, { owner: "x" }, { "if-match": '"1"', ...headers });
    const refused = await patch();
    assert.equal(refused.status, 403);
    const requestId = (await refused.json()).error.request_id;
    assert.equal((await patch({ "x-csrf-token": "wrong" })).status, 403);
    assert.equal((await reader.json("/api/v1/audit")).status, 403);
    assert.equal((await reader.json("/api/v1/devices?limit=0")).status, 400);

    const rows = (await entriesOf(stack.db, "main")).filter((row) => row.outcome === "refused");
    assert.deepEqual(rows.map((row) => `${row.operation} ${row.status}`).sort(), [
      "listAudit 403",
      "patchDevice 403",
      "patchDevice 403",
    ]);
    assert.ok(rows.some((row) => row.request_id === requestId));
    assert.deepEqual(
      rows.filter((row) => row.operation === "patchDevice").map((row) =>
        `${row.target_type} ${row.target_id}`
      ),
      Array(2).fill("device 0190b2c3-0000-7000-8000-000000000001"),
    );
    assert.ok(rows.some((row) => row.reason?.includes("X-CSRF-Token")));
    assert.ok(rows.every((row) => row.display_name !== null && row.session_id !== null));
  },
);

testStack("request id: one id from header to envelope to audit, and never the client's", async (stack) => {
  const person = await stack.browser().signIn("analyst");
  const own = "00000000-0000-4000-8000-000000000000";
  const forged = await sealContext({ ...newRequest(), clientAddress: "203.0.113.9" });
  const response = await person.write("PATCH", DEVICE, { owner: "x" }, {
    "if-match": '"1"',
    "x-request-id": own,
    [CONTEXT_HEADER]: forged.header,
    "user-agent": "a".repeat(5000),
    "x-forwarded-for": "203.0.113.9",
  });
  const { meta } = await response.json();
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("x-request-id"), meta.request_id);
  assert.notEqual(meta.request_id, own);
  const [row] = await entriesOf(stack.db, "main", { operation: "patchDevice" });
  assert.equal(row!.request_id, meta.request_id);
  assert.equal(row!.client_address, "127.0.0.1", "without a proxy a client cannot set its own address");
  assert.equal(row!.user_agent?.length, 256);
  assert.equal(row!.display_name, (await person.json("/api/v1/session")).body.data.display_name);

  for (const path of ["/", "/nothing", "/api/v1/nothing", "/auth/callback", "/api/v1/site"]) {
    const answer = await person.request(path, { method: path === "/" ? "GET" : "GET" });
    assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/, path);
    await answer.body?.cancel();
  }
  const wrongMethod = await person.request("/api/v1/site", { method: "PUT" });
  assert.equal((await wrongMethod.json()).error.request_id, wrongMethod.headers.get("x-request-id"));
});

Deno.test("request context: bound to the nonce, and only to it", async () => {
  const context = {
    ...newRequest(),
    clientAddress: "192.0.2.7",
    displayName: "Ädä 💡",
    userAgent: "x".repeat(256),
  };
  const { header, nonce } = await sealContext(context);
  assert.match(nonce, /^[A-Za-z0-9_-]{65}$/);
  assert.deepEqual(await openContext(header, nonce), context);
  assert.notEqual((await sealContext(context)).nonce, nonce, "a nonce is used once");
  const other = await sealContext({ ...context, clientAddress: "192.0.2.8" });
  assert.equal(await openContext(other.header, nonce), null);
  assert.equal(await openContext(header, crypto.randomUUID()), null);
  assert.equal(await openContext(`${header}A`, nonce), null);
  assert.ok(!Object.values<string>(SIGNED_HEADERS).includes(CONTEXT_HEADER));
});
