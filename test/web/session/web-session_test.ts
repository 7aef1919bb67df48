import assert from "node:assert/strict";
import { AccessPolicy } from "../../../src/config/access.ts";
import { developmentAccessRules } from "../../../src/dev/sign-in-accounts.ts";
import { testStack } from "./web-stack.ts";

testStack("session: several tenants, one selected at a time", async (stack) => {
  const browser = await stack.browser().signIn("multi");
  const { body } = await browser.json("/api/v1/session");
  assert.equal(body.data.selected_tenant, null);
  assert.deepEqual(body.data.tenants.map((tenant: { tenant_id: string }) => tenant.tenant_id), [
    "branch",
    "main",
  ]);

  // Until one is selected there is no data, whatever the request names.
  for (const target of ["/api/v1/site", "/api/v1/site?tenant_id=main", "/api/v1/health"]) {
    const { status, body } = await browser.json(target);
    assert.equal(status, 403);
    assert.equal(body.error.code, "forbidden");
  }
  const forged = await browser.request("/api/v1/site", {
    headers: { "x-ndr-tenant": "main", "x-tenant-id": "main" },
  });
  assert.equal(forged.status, 403);
  await forged.body?.cancel();

  const select = (tenant_id: string, key?: string) =>
    browser.write("POST", "/api/v1/session/tenant", { tenant_id }, key ? { "idempotency-key": key } : {});
  const selected = await select("main", "k1");
  assert.equal(selected.status, 200);
  assert.equal((await selected.json()).data.selected_tenant, "main");
  assert.equal((await browser.json("/api/v1/site")).body.data.site_id, "main");
  // A request cannot name another tenant.
  assert.equal(
    (await browser.json("/api/v1/site?tenant_id=branch")).body.error.details.reason,
    "unknown_parameter",
  );

  assert.equal((await (await select("branch", "k2")).json()).data.selected_tenant, "branch");
  assert.equal((await browser.json("/api/v1/site")).body.data.site_id, "branch");
  // A late retry of the first selection gets its stored response and changes nothing.
  assert.equal((await (await select("main", "k1")).json()).data.selected_tenant, "main");
  assert.equal((await browser.json("/api/v1/site")).body.data.site_id, "branch");
  assert.equal((await select("branch", "k1")).status, 422);

  assert.equal((await select("elsewhere")).status, 403);
  const without = await browser.write("POST", "/api/v1/session/tenant", { tenant_id: "main" }, {
    "idempotency-key": undefined,
  });
  assert.equal(without.status, 400);
  const unknown = await browser.write("POST", "/api/v1/session/tenant", {
    tenant_id: "main",
    roles: ["admin"],
  });
  assert.equal(unknown.status, 400);

  // A user of one tenant cannot select another one.
  const reader = await stack.browser().signIn("reader");
  const foreign = await reader.write("POST", "/api/v1/session/tenant", { tenant_id: "branch" });
  assert.equal(foreign.status, 403);
});

testStack("session: signing out ends it at once, wherever the cookie is", async (stack) => {
  const browser = await stack.browser().signIn("analyst");
  const copy = stack.browser();
  copy.cookies.push(...browser.cookies);
  assert.equal((await copy.json("/api/v1/session")).status, 200);

  const forged = await browser.write("POST", "/auth/logout", undefined, { "x-csrf-token": "wrong" });
  assert.equal(forged.status, 403);
  assert.equal((await copy.json("/api/v1/session")).status, 200);

  const done = await browser.write("POST", "/auth/logout", undefined);
  assert.equal(done.status, 204);
  assert.equal(browser.cookie("ndr-session"), undefined);
  for (const target of ["/api/v1/session", "/api/v1/site", "/api/v1/health"]) {
    const { status, body } = await copy.json(target);
    assert.equal(status, 401);
    assert.equal(body.error.code, "unauthenticated");
  }
  // Signing out without a session is not an error.
  assert.equal((await stack.browser().request("/auth/logout", { method: "POST" })).status, 204);
});

testStack("session: it lasts twelve hours", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  stack.clock.advance(12 * 3600 - 5);
  assert.equal((await browser.json("/api/v1/session")).status, 200);
  stack.clock.advance(10);
  assert.equal((await browser.json("/api/v1/session")).status, 401);
});

testStack(
  "session: reduced or removed rights take effect at the user's next request",
  async (stack) => {
    const browser = await stack.browser().signIn("analyst");
    stack.policy = new AccessPolicy(developmentAccessRules().map((rule) => ({ ...rule, roles: ["reader"] })));
    const patch = () =>
      browser.write("PATCH", "/api/v1/incidents/i1", { status: "investigating" }, { "if-match": '"1"' });
    assert.equal((await patch()).status, 403);
    assert.equal((await browser.json("/api/v1/site")).status, 200);

    stack.policy = new AccessPolicy([]);
    assert.equal((await browser.json("/api/v1/site")).status, 401);
    // The session is deleted, not hidden: restoring the role does not restore it.
    stack.policy = new AccessPolicy(developmentAccessRules());
    assert.equal((await browser.json("/api/v1/site")).status, 401);
  },
);

testStack("session: a made-up cookie is rejected", async (stack) => {
  for (const value of ["", "x", "A".repeat(43), "..%2f..", "A".repeat(5000)]) {
    const response = await stack.browser().request("/api/v1/session", {
      headers: { cookie: `ndr-session=${value}` },
    });
    assert.equal(response.status, 401, value);
    await response.body?.cancel();
  }
});
