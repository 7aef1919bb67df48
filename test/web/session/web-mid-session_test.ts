// Rights are checked again on each request: a withdrawn role, tenant or session takes effect at once, on
// every route.

import assert from "node:assert/strict";
import { AccessPolicy, type AccessRule } from "../../../src/config/access.ts";
import type { Role } from "../../../src/contract/record/kinds.ts";
import { type Route, ROUTES } from "../../../src/contract/routes.ts";
import { SESSION_LIFETIME } from "../../../src/contract/session/service-session.ts";
import { aRequestFor } from "../../contract/requests.ts";
import { textOf } from "../../support/transport/event-stream.ts";
import type { Browser } from "./web-browser.ts";
import { type Stack, testStack } from "./web-stack.ts";

const TENANT_ROUTES = (Object.entries(ROUTES) as [string, Route][]).filter(([, route]) => route.tenant);

function give(stack: Stack, grants: Record<string, Role[]>): void {
  const rules: AccessRule[] = Object.entries(grants).map(([tenant, roles]) => ({
    claim: "sub",
    value: "multi",
    tenant,
    roles,
  }));
  stack.policy = new AccessPolicy(rules);
}

async function send(
  stack: Stack,
  browser: Browser,
  route: Route,
): Promise<{ status: number; code?: string }> {
  stack.clock.advance(1);
  const { method, target, body, headers } = aRequestFor(route);
  const response = method === "GET"
    ? await browser.request(target)
    : await browser.write(method, target, body, headers);
  const text = await textOf(response);
  return { status: response.status, code: response.ok ? undefined : JSON.parse(text).error.code };
}

const ALL: Role[] = ["admin", "analyst", "reader", "responder"];

testStack(
  "mid-session: a withdrawn role takes effect at the next request, on every route",
  async (stack) => {
    give(stack, { main: ALL });
    const browser = await stack.browser().signIn("multi");
    await browser.csrf();
    for (const [id, route] of TENANT_ROUTES) {
      give(stack, { main: ALL });
      assert.equal((await send(stack, browser, route)).status, route.status, id);
      if (route.role === "reader") continue;
      give(stack, { main: ALL.filter((role) => role !== route.role) });
      stack.reached.length = 0;
      assert.deepEqual(await send(stack, browser, route), { status: 403, code: "forbidden" }, id);
      assert.deepEqual(stack.reached, []);
    }
  },
);

testStack("mid-session: a withdrawn tenant is no longer selected, on every route", async (stack) => {
  give(stack, { main: ALL, branch: ["reader"] });
  const browser = await stack.browser().signIn("multi");
  assert.equal((await browser.write("POST", "/api/v1/session/tenant", { tenant_id: "main" })).status, 200);
  give(stack, { branch: ["reader"] });
  stack.reached.length = 0;
  for (const [id, route] of TENANT_ROUTES) {
    assert.deepEqual(await send(stack, browser, route), { status: 403, code: "forbidden" }, id);
  }
  assert.deepEqual(stack.reached, []);
  const { body } = await browser.json("/api/v1/session");
  // The remaining tenant is not selected automatically: that is the user's choice.
  assert.equal(body.data.selected_tenant, null);
  assert.deepEqual(body.data.tenants, [{
    tenant_id: "branch",
    display_name: "Branch office",
    roles: ["reader"],
  }]);
});

const ENDS: Record<string, (stack: Stack, browser: Browser) => Promise<void>> = {
  "signed out": async (_stack, browser) => {
    assert.equal((await browser.write("POST", "/auth/logout", undefined)).status, 204);
  },
  "signed in again": async (_stack, browser) => void await browser.signIn("reader"),
  "expired": (stack) => Promise.resolve(stack.clock.advance(SESSION_LIFETIME / 1e6 + 1)),
  "without a rule": (stack) => Promise.resolve(give(stack, {})),
};

for (const [name, end] of Object.entries(ENDS)) {
  testStack(`mid-session: once ${name}, the old cookie opens no route`, async (stack) => {
    const browser = await stack.browser().signIn("multi");
    await browser.write("POST", "/api/v1/session/tenant", { tenant_id: "main" });
    const copy = stack.browser();
    copy.cookies.push(...browser.cookies);
    assert.equal((await copy.json("/api/v1/site")).status, 200);
    await copy.csrf();

    await end(stack, browser);
    stack.reached.length = 0;
    for (const [id, route] of Object.entries(ROUTES) as [string, Route][]) {
      assert.deepEqual(await send(stack, copy, route), { status: 401, code: "unauthenticated" }, id);
    }
    assert.deepEqual(stack.reached, []);
  });
}

testStack("mid-session: reloaded rules apply to signed-in users", async (stack) => {
  give(stack, { main: ["reader"] });
  const browser = await stack.browser().signIn("multi");
  const write = ROUTES.patchIncident;
  assert.equal((await send(stack, browser, write)).status, 403);
  give(stack, { main: ["analyst"] });
  assert.equal((await send(stack, browser, write)).status, 200);
  // One tenant more: the selection does not change.
  give(stack, { branch: ["analyst"], main: ["analyst"] });
  assert.equal((await browser.json("/api/v1/site")).body.data.site_id, "main");
});

testStack("session fixation: a cookie from before the sign-in never becomes a session", async (stack) => {
  const planted = "A".repeat(43);
  const browser = stack.browser();
  const plant = (value: string) => {
    const host = new URL(stack.baseUrl).hostname;
    browser.cookies.push({ name: "ndr-session", value, host, path: "/", attributes: new Map() });
  };
  plant(planted);
  await browser.signIn("reader");
  const session = browser.cookie("ndr-session")!.value;
  assert.notEqual(session, planted);
  const attacker = (value: string) =>
    stack.browser().request("/api/v1/site", { headers: { cookie: `ndr-session=${value}` } });
  assert.equal((await attacker(planted)).status, 401);

  // The attacker's own live session, planted in a victim's browser: the sign-in ends it and starts a new one.
  const own = (await stack.browser().signIn("analyst")).cookie("ndr-session")!.value;
  assert.equal((await attacker(own)).status, 200);
  const victim = stack.browser();
  victim.cookies.push({ ...browser.cookie("ndr-session")!, value: own });
  await victim.signIn("admin");
  assert.notEqual(victim.cookie("ndr-session")!.value, own);
  assert.equal((await attacker(own)).status, 401);
  assert.equal((await victim.json("/api/v1/session")).body.data.subject, "admin");

  // Two cookies of one name: whichever is read, the session is one of these two.
  const both = await stack.browser().request("/api/v1/session", {
    headers: { cookie: `ndr-session=${planted}; ndr-session=${session}` },
  });
  assert.ok([200, 401].includes(both.status));
  await both.body?.cancel();
});
