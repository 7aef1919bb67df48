// Every route x role x tenant, through the web layer, with real handlers behind it.

import assert from "node:assert/strict";
import { AccessPolicy } from "../../../src/config/access.ts";
import type { Role } from "../../../src/contract/record/kinds.ts";
import type { OperationId } from "../../../src/contract/routes.ts";
import { checkForgeries } from "../../contract/isolation/forgeries.ts";
import { assertError, checkRoute } from "../../contract/isolation/matrix.ts";
import { ALL_ROUTES, comparable, CORE_ROUTES, wholeTenant, World } from "../../contract/isolation/world.ts";
import { askOf, testWebWorld } from "./web-isolation.ts";
import { textOf } from "../../support/transport/event-stream.ts";

const ROLE_SETS: Role[][] = [["reader"], ["analyst"], ["responder"], ["admin"], ["analyst", "responder"]];

testWebWorld("isolation: every route x role x own, foreign and missing objects through web", async (web) => {
  const { world, stack } = web;
  const before = await wholeTenant(stack.db, "branch");
  const foreign = await world.ownIdentifiers("branch");
  const done = new Set<OperationId>(World.MAKING);
  for (const roles of ROLE_SETS) {
    web.grant({ main: roles });
    const person = { world, tenant: "main" as const, roles, ask: web.ask, foreign, done };
    for (const [id, route] of CORE_ROUTES) await checkRoute(id, route, person);
  }
  assert.deepEqual(
    CORE_ROUTES.map(([id]) => id).filter((id) => !done.has(id)),
    [],
    "every write was carried out",
  );
  assert.deepEqual(await wholeTenant(stack.db, "branch"), before);
});

testWebWorld("isolation: a user of two tenants has the selected one", async (web) => {
  const { world, stack } = web;
  const roles: Role[] = ["admin", "analyst", "responder"];
  web.grant({ main: roles, branch: roles });
  for (const tenant of ["main", "branch"] as const) {
    assert.equal((await web.select(tenant)).status, 200);
    const other = tenant === "main" ? "branch" : "main";
    const foreign = await world.ownIdentifiers(other);
    const before = await wholeTenant(stack.db, other);
    const person = { world, tenant, roles, ask: web.ask, foreign, done: new Set<OperationId>() };
    for (const [id, route] of CORE_ROUTES) await checkRoute(id, route, person);
    assert.deepEqual(await wholeTenant(stack.db, other), before, `${other} while ${tenant} is selected`);
  }
});

testWebWorld("isolation: no session or no selected tenant: no route reveals anything", async (web) => {
  const { world, stack } = web;
  const askSignedOut = askOf(stack, stack.browser());
  const several = { main: ["admin", "analyst", "responder"], branch: ["reader"] } satisfies Record<
    string,
    Role[]
  >;
  web.grant(several);
  const chooser = await stack.browser().signIn("multi");
  const before = [await wholeTenant(stack.db, "main"), await wholeTenant(stack.db, "branch")];
  stack.reached.length = 0;
  for (const [id, route] of ALL_ROUTES) {
    for (const tenant of ["main", "branch"] as const) {
      const request = world.request(route, world.ids(tenant));
      const anonymous = route.method === "GET"
        ? await askSignedOut(request)
        : await post(stack.browser(), request);
      assertError(anonymous, 401, "unauthenticated", id);
      if (!route.tenant) continue;
      const answer = await askOf(stack, chooser)(request);
      assertError(answer, 403, "forbidden", id);
      assert.equal(JSON.parse(answer.text).error.details.reason, "no_tenant_selected", id);
    }
  }
  assert.deepEqual(stack.reached, [], "nothing was forwarded by the web layer");
  assert.deepEqual([await wholeTenant(stack.db, "main"), await wholeTenant(stack.db, "branch")], before);

  async function post(browser: ReturnType<typeof stack.browser>, request: ReturnType<World["request"]>) {
    const { method, target, headers } = request;
    const response = await browser.request(target, {
      method,
      headers,
      body: JSON.stringify(request.body ?? {}),
    });
    return { status: response.status, text: await textOf(response) };
  }
});

testWebWorld("isolation: a tenant without a grant looks like a missing one", async (web) => {
  const { stack } = web;
  web.grant({ main: ["admin", "analyst", "reader", "responder"] });
  const answers: string[] = [];
  for (const tenant of ["branch", "elsewhere", "Main", "main ", "..", "branch\u0000", "*"]) {
    const response = await web.select(tenant);
    assert.equal(response.status, 403, tenant);
    answers.push(comparable(await response.text()));
  }
  assert.equal(new Set(answers).size, 1, answers.join("\n"));
  // A tenant that the rules name but this installation does not have.
  stack.policy = new AccessPolicy([
    { claim: "sub", value: "multi", tenant: "main", roles: ["reader"] },
    { claim: "sub", value: "multi", tenant: "elsewhere", roles: ["admin"] },
  ]);
  const response = await web.select("elsewhere");
  assert.equal(comparable(await response.text()), answers[0]);
  const { body } = await web.browser.json("/api/v1/session");
  assert.deepEqual(body.data.tenants.map((one: { tenant_id: string }) => one.tenant_id), ["main"]);
});

testWebWorld("isolation: a forged tenant has no effect on any route through web", async (web) => {
  const { world, stack } = web;
  web.grant({ main: ["admin", "analyst", "responder"] });
  const before = await wholeTenant(stack.db, "branch");
  // The clock is frozen, so that equal responses are identical.
  for (const [id, route] of CORE_ROUTES) {
    const frozen = stack.clock.now();
    await checkForgeries(id, route, world, async (request) => {
      const answer = await web.ask(request);
      stack.clock.advance((frozen - stack.clock.now()) / 1e6);
      return answer;
    });
    stack.clock.advance(60);
  }
  assert.deepEqual(await wholeTenant(stack.db, "branch"), before);
});
