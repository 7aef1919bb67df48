// Every route x role x tenant, directly at the core: access follows from the route table alone, foreign
// objects look missing, and nothing of the other tenant is read or changed.

import assert from "node:assert/strict";
import type { Role } from "../../../src/contract/record/kinds.ts";
import type { OperationId } from "../../../src/contract/routes.ts";
import { testDatabase } from "../../support/database.ts";
import { type Answered, type Ask, assertError, checkRoute, ROLE_SETS } from "./matrix.ts";
import { CORE_ROUTES, TENANTS, wholeTenant, World } from "./world.ts";
import { textOf } from "../../support/transport/event-stream.ts";

function asker(world: World, tenantId: string | null, roles: Role[]): Ask {
  return async (request): Promise<Answered> => {
    const response = await world.api.core.send({ ...request, tenantId, roles });
    return { status: response.status, text: await textOf(response) };
  };
}

testDatabase("isolation: every route x role x own, foreign and missing objects at the core", async (db) => {
  const world = await World.create(db);
  for (const tenant of TENANTS) {
    const other = tenant === "main" ? "branch" : "main";
    const foreign = await world.ownIdentifiers(other);
    assert.ok(foreign.size > 10);
    const before = await wholeTenant(db, other);
    const done = new Set<OperationId>(World.MAKING);
    // One direction with every set of roles, the other with each single role.
    const sets = tenant === "main" ? ROLE_SETS : ROLE_SETS.filter(({ length }) => length === 1);
    for (const roles of sets) {
      const person = { world, tenant, roles, ask: asker(world, tenant, roles), foreign, done };
      for (const [id, route] of CORE_ROUTES) await checkRoute(id, route, person);
    }
    assert.deepEqual(
      CORE_ROUTES.map(([id]) => id).filter((id) => !done.has(id)),
      [],
      "each operation succeeded",
    );
    assert.deepEqual(await wholeTenant(db, other), before, `what ${tenant} did left ${other} unchanged`);
  }
});

testDatabase(
  "isolation: without a tenant or role, or with an unknown tenant, nothing is revealed",
  async (db) => {
    const world = await World.create(db);
    const before = await Promise.all(TENANTS.map((tenant) => wholeTenant(db, tenant)));
    for (const [id, route] of CORE_ROUTES) {
      for (const ids of [world.ids("main"), world.missing]) {
        const request = world.request(route, ids);
        for (const roles of [[], ["reader"], ["admin", "analyst", "responder"]] satisfies Role[][]) {
          assertError(await asker(world, "elsewhere", roles)(request), ...refusalOf(roles), id);
        }
        // A person has at least one role; a service has a role in no tenant.
        assertError(await asker(world, "main", [])(request), 401, "unauthenticated", id);
        assertError(await asker(world, null, [])(request), 401, "unauthenticated", id);
        assertError(await asker(world, null, ["admin", "analyst"])(request), 401, "unauthenticated", id);
        const anonymous = await world.api.core.app.request(request.target, {
          method: request.method,
          headers: request.headers,
          body: request.body === undefined ? undefined : JSON.stringify(request.body),
        });
        const answer = { status: anonymous.status, text: await anonymous.text() };
        assertError(answer, 401, "unauthenticated", id);
      }
    }
    assert.deepEqual(await Promise.all(TENANTS.map((tenant) => wholeTenant(db, tenant))), before);
  },
);

function refusalOf(roles: Role[]): [status: number, code: string] {
  return roles.length === 0 ? [401, "unauthenticated"] : [403, "forbidden"];
}
