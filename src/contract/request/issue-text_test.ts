import assert from "node:assert/strict";
import { ApiError } from "./errors.ts";
import { readJsonBody, readQuery } from "./parts.ts";
import { type Route, ROUTES } from "../routes.ts";

const body = (schema: NonNullable<Route["body"]>, value: unknown) =>
  rejectionOf(() =>
    readJsonBody(schema, "application/json", new TextEncoder().encode(JSON.stringify(value)))
  );
const query = (schema: NonNullable<Route["query"]>, text: string) =>
  rejectionOf(() => readQuery(schema, new URLSearchParams(text)));

function rejectionOf(read: () => unknown): { message: string; paths: string[] } {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    const issues = error.details.issues as { path: string; message: string }[];
    for (const issue of issues) assert.ok(!issue.message.startsWith(`${issue.path}:`), issue.message);
    return { message: error.message, paths: issues.map(({ path }) => path) };
  }
  assert.fail("was not rejected");
}

Deno.test("a rejection names the field and what was expected", () => {
  const { patchDevice, patchIncident, createSuppression, listFlows, listDevices } = ROUTES;
  const cases: [{ message: string }, string][] = [
    [
      body(patchIncident.body, {}),
      "status: expected one of open, investigating, resolved, false_positive, but it is missing",
    ],
    [
      body(patchIncident.body, { status: "x" }),
      "status: expected one of open, investigating, resolved, false_positive",
    ],
    [
      body(patchIncident.body, { status: 3 }),
      "status: expected one of open, investigating, resolved, false_positive",
    ],
    [body(patchDevice.body, []), "expected an object, not an array"],
    [body(patchDevice.body, null), "expected an object, not null"],
    [body(patchDevice.body, { display_name: null }), "display_name: expected a string, not null"],
    [body(patchDevice.body, { display_name: "" }), "display_name: expected at least 1 character"],
    [body(patchDevice.body, { tags: ["a", 7] }), "tags.1: expected a string, not a number"],
    [body(createSuppression.body, {}), "pattern: expected an object, but it is missing"],
    [
      body(createSuppression.body, {
        pattern: { port: 65536 },
        reason: "r",
        expires_at: "2026-01-31T07:15:00Z",
      }),
      "pattern.port: expected at most 65535",
    ],
    [query(listFlows.query, "limit=0"), "limit: expected an integer from 1 to 500"],
    [query(listFlows.query, "limit=501"), "limit: expected an integer from 1 to 500"],
    [query(listFlows.query, "cursor="), "cursor: expected at least 1 character"],
    [query(listDevices.query, "risk_min=101"), "risk_min: expected a score from 0 to 100"],
  ];
  for (const [{ message }, expected] of cases) assert.equal(message, expected);
});

Deno.test("a rejection names each unknown field", () => {
  const { message, paths } = body(ROUTES.patchDevice.body, { ownr: "x", tag: "y", owner: "z" });
  assert.equal(message, "ownr: unknown field");
  assert.deepEqual(paths, ["ownr", "tag"]);
  const nested = body(ROUTES.createSuppression.body, {
    pattern: { sorce: "10.0.0.1" },
    reason: "r",
    expires_at: "2026-01-31T07:15:00Z",
  });
  assert.deepEqual(nested.paths, ["pattern.sorce"]);
});

Deno.test("no request schema uses the library's default messages", () => {
  for (const [id, route] of Object.entries(ROUTES) as [string, Route][]) {
    if (!route.body) continue;
    for (const value of [{}, [], null, 3, "x", { nonsense: 1 }]) {
      if (route.body.safeParse(value).success) continue;
      const { message } = body(route.body, value);
      assert.doesNotMatch(message, /Invalid|Unrecognized|Too (small|big)|received|undefined/, id);
    }
  }
});
