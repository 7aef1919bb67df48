// Optimistic concurrency on every mutable resource, found through the route table.

import assert from "node:assert/strict";
import type { z } from "@hono/zod-openapi";
import { type OperationId, type Route, ROUTES } from "../../../src/contract/routes.ts";
import { testDatabase } from "../../support/database.ts";
import { type ApiRequest, CORE_ROUTES, World } from "../isolation/world.ts";

const AT_ONCE = 100;
const REVISIONED = CORE_ROUTES.filter(([, route]) => route.revisioned);

/** The fields of the object in a route's answer; null for a list, a download or a stream. */
function fieldsOf(route: Route): Record<string, z.ZodType> | null {
  if (route.download || route.stream) return null;
  const { data } = (route.response as z.ZodObject).shape as { data?: z.ZodObject };
  return (data as Partial<z.ZodObject> | undefined)?.shape as Record<string, z.ZodType> | undefined ?? null;
}

Deno.test("revisions: objects with one change under If-Match and return it as ETag", () => {
  const kinds = new Set<string>();
  for (const [id, route] of Object.entries(ROUTES) as [OperationId, Route][]) {
    const fields = fieldsOf(route);
    if (fields === null || !("revision" in fields)) {
      assert.ok(!route.revisioned && !route.tagged, `${id} returns no revision`);
      continue;
    }
    const changes = route.write && route.status === 200;
    assert.equal(route.revisioned, changes, `${id}: a change of an object needs If-Match, nothing else does`);
    const mutable = REVISIONED.some(([, other]) => other.path === route.path);
    assert.ok(route.revisioned || route.tagged === true || mutable, `${id} must be tagged`);
    kinds.add(route.tag);
  }
  assert.ok(
    kinds.isSupersetOf(new Set(["Devices", "Incidents", "Suppressions", "Proposals", "Response actions"])),
  );
});

/** A route's request with other headers. */
function withHeaders(request: ApiRequest, headers: Record<string, string>): ApiRequest {
  return { ...request, headers: { ...request.headers, "idempotency-key": crypto.randomUUID(), ...headers } };
}

async function revisionOf(world: World, route: Route): Promise<number> {
  // A revision that the object cannot have: the refusal names the current one.
  const stale = withHeaders(world.request(route, world.ids("main")), { "if-match": '"999999999"' });
  const response = await world.api.core.send({ ...stale, roles: [route.role] });
  const { error } = await response.json();
  assert.deepEqual([response.status, error.code], [412, "revision_conflict"], route.path);
  return error.details.revision;
}

const NOT_ONE = [
  "3",
  "*",
  "x",
  "''",
  "'1'",
  '"1',
  '1"',
  'W/"1"',
  'w/"1"',
  '"1", "2"',
  '"1","1"',
  '"1"\t"2"',
  '"1" *',
];
const NO_NUMBER = [
  '""',
  '"0"',
  '"01"',
  '"-1"',
  '"+1"',
  '"1.0"',
  '"1e0"',
  '" 1"',
  '"1 "',
  '"x"',
  '"9999999999"',
];

testDatabase(
  "revisions: If-Match is exactly one quoted revision, on every route that needs it",
  async (db) => {
    const world = await World.create(db);
    assert.ok(REVISIONED.length >= 5);
    for (const [id, route] of REVISIONED) {
      const request = world.request(route, world.ids("main"));
      const send = (one: ApiRequest) => world.api.core.send({ ...one, roles: [route.role] });
      const { "if-match": _, ...none } = request.headers;
      const missing = await send({ ...request, headers: { ...none, "idempotency-key": "none" } });
      const { error } = await missing.json();
      assert.deepEqual([missing.status, error.code, error.details.header], [
        428,
        "invalid_request",
        "If-Match",
      ], id);
      for (const value of [...NOT_ONE, ...NO_NUMBER]) {
        const answer = await send(withHeaders(request, { "if-match": value }));
        const { error } = await answer.json();
        assert.deepEqual(
          [answer.status, error?.details.header],
          [400, "If-Match"],
          `${id} If-Match: ${value}`,
        );
      }
      const revision = await revisionOf(world, route);
      const blanks = await send(withHeaders(request, { "if-match": ` "${revision}" ` }));
      assert.equal(blanks.status, 200, "blanks around a value are not part of it");
      await blanks.body?.cancel();
    }
  },
);

testDatabase("revisions: of a hundred changes of one revision one succeeds", async (db) => {
  const world = await World.create(db);
  for (const [id, route] of REVISIONED) {
    const before = await revisionOf(world, route);
    const request = world.request(route, world.ids("main"));
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, async (_, n) => {
      const one = withHeaders(request, { "if-match": `"${before}"` });
      const response = await world.api.core.send({ ...one, roles: [route.role], subject: `person-${n}` });
      return { status: response.status, etag: response.headers.get("etag"), body: await response.json() };
    }));
    const [made, ...further] = answers.filter(({ status }) => status === 200);
    assert.ok(made, `${id}: ${JSON.stringify(answers[0])}`);
    assert.equal(further.length, 0, id);
    assert.equal(made.etag, `"${made.body.data.revision}"`, id);
    assert.ok(made.body.data.revision > before, id);
    for (const { status, body } of answers) {
      if (status === 200) continue;
      assert.deepEqual(
        [status, body.error.code],
        [412, "revision_conflict"],
        `${id}: ${JSON.stringify(body)}`,
      );
      assert.ok(body.error.details.revision > before, id);
    }
  }
});

testDatabase("revisions: every answer with one object has its revision", async (db) => {
  const world = await World.create(db);
  for (const [id, route] of CORE_ROUTES) {
    if (!("revision" in (fieldsOf(route) ?? {})) || route.write) continue;
    const response = await world.api.core.send({
      ...world.request(route, world.ids("main")),
      roles: [route.role],
    });
    const { data } = await response.json();
    assert.equal(response.status, 200, id);
    assert.equal(response.headers.get("etag"), `"${data.revision}"`, id);
  }
  for (const [id, route] of CORE_ROUTES.filter(([, { tagged, write }]) => tagged && write)) {
    const request = withHeaders(world.request(route, world.ids("branch")), {});
    const response = await world.api.core.send({ ...request, tenantId: "branch", roles: [route.role] });
    const { data } = await response.json();
    // Some things can be proposed only once, and the world has proposed them.
    if (response.status !== 201) continue;
    assert.equal(response.headers.get("etag"), `"${data.revision}"`, id);
    assert.equal(data.revision, 1, id);
  }
});
