// Every refusal states its cause in `details.reason`: a name from one table.

import assert from "node:assert/strict";
import { ApiError, ERROR_CODES, type ErrorCode } from "../../../src/contract/request/errors.ts";
import { MAX_BODY_BYTES } from "../../../src/contract/request/parts.ts";
import { type Reason, REASONS } from "../../../src/contract/request/reasons.ts";
import { transportRefusal } from "../../../src/contract/request/transport-refusal.ts";
import type { Route } from "../../../src/contract/routes.ts";
import { testDatabase } from "../../support/database.ts";
import { refusal } from "../api.ts";
import { coreOn, type Sent } from "../core.ts";
import { CORE_ROUTES } from "../isolation/world.ts";
import { aRequestFor } from "../requests.ts";

/** Parameters of which several values may be given, by path. */
const REPEATABLE = new Map([
  ["/api/v1/incidents", new Set(["status", "severity"])],
  ["/api/v1/graph", new Set(["expand"])],
]);

type Refused = [name: string, sent: Sent, status: number, reason: Reason];

/** A request for each refusal that a route's declaration implies. */
function* refusalsOf(route: Route): Generator<Refused> {
  const { headers, ...request } = aRequestFor(route);
  const { "idempotency-key": _key, ...keyless } = headers;
  const { "if-match": _revision, ...unconditional } = headers;
  const good = { ...request, headers, roles: [route.role] };
  const asked = (query: string) => ({ ...good, target: `${good.target}?${query}` });

  yield ["unknown tenant", { ...good, tenantId: "nowhere" }, 403, "tenant_not_permitted"];
  yield ["no tenant in the claims", { ...good, tenantId: null }, 401, "unauthenticated"];
  yield ["unknown parameter", asked("tenant_id=branch"), 400, "unknown_parameter"];
  yield ["another method", { ...good, method: "OPTIONS" }, 405, "method"];
  yield ["another case of the path", { ...good, target: good.target.toUpperCase() }, 404, "no_such_route"];
  if (route.role !== "reader") yield ["other role", { ...good, roles: ["reader"] }, 403, "role_missing"];
  if (route.path.includes("{")) {
    const target = route.path.replaceAll(/\{\w+\}/g, "x".repeat(129));
    yield ["malformed id", { ...good, target }, 404, "no_such_object"];
  }
  for (const name of Object.keys(route.query?.shape ?? {})) {
    const reason = REPEATABLE.get(route.path)?.has(name) ? "invalid_field" : "repeated_parameter";
    yield [`repeated ${name}`, asked(`${name}=x&${name}=y`), 400, reason];
  }
  if (route.query && "limit" in route.query.shape) {
    yield ["bad limit", asked("limit=0"), 400, "invalid_field"];
  }
  if (route.write) {
    yield ["no key", { ...good, headers: keyless }, 400, "missing_header"];
    yield ["bad key", { ...good, headers: { ...headers, "idempotency-key": "" } }, 400, "invalid_header"];
  }
  if (route.revisioned) {
    yield ["no If-Match", { ...good, headers: unconditional }, 428, "missing_header"];
    yield ["bad If-Match", { ...good, headers: { ...headers, "if-match": "3" } }, 400, "invalid_header"];
  }
  if (!route.body) return;
  const typed = (type: string) => ({ ...good, headers: { ...headers, "content-type": type } });
  yield ["content type", typed("text/plain"), 415, "content_type"];
  yield [
    "content encoding",
    { ...good, headers: { ...headers, "content-encoding": "gzip" } },
    400,
    "content_encoding",
  ];
  yield ["not JSON", { ...good, body: "{" }, 400, "not_json"];
  yield ["two values", { ...good, body: "{} {}" }, 400, "not_json"];
  yield ["unknown field", { ...good, body: { nonsense: 1 } }, 400, "invalid_field"];
  yield ["too large", { ...good, body: " ".repeat(MAX_BODY_BYTES + 1) }, 413, "body_too_large"];
}

testDatabase("reasons: every refusal of every route names its cause", async (db) => {
  const core = coreOn(db);
  let count = 0;
  for (const [id, route] of CORE_ROUTES) {
    for (const [name, sent, status, reason] of refusalsOf(route)) {
      const response = await core.send(sent);
      const { error } = await response.json();
      assert.deepEqual([response.status, error.details.reason], [status, reason], `${id}, ${name}`);
      count++;
    }
  }
  assert.ok(count > 100, `${count} refusals`);
});

testDatabase("reasons: the position of a syntax error is stated beside the reason", async (db) => {
  const [, route] = CORE_ROUTES.find(([, { body }]) => body)!;
  const sent = { ...aRequestFor(route), body: '{"a": }', roles: [route.role] };
  const { details } = await refusal(await coreOn(db).send(sent), 400, "invalid_request");
  assert.deepEqual([details.reason, details.position], ["not_json", 6]);
  assert.match(String(details.fault), /\w/);
});

Deno.test("reasons: a code without a reason of its own has one default", () => {
  for (const [code, { reason }] of Object.entries(ERROR_CODES)) {
    if (reason === null) continue;
    assert.equal(
      new ApiError(code as Exclude<ErrorCode, "invalid_request" | "forbidden" | "source_unavailable">).details
        .reason,
      reason,
    );
    assert.ok(reason in REASONS, code);
  }
});

Deno.test("reasons: refusals before routing have one, too", () => {
  for (const status of [400, 408, 414, 431, 503] as const) {
    const { error } = JSON.parse(transportRefusal(status).body);
    assert.ok(error.details.reason in REASONS, `${status}: ${error.details.reason}`);
  }
});

Deno.test("reasons: the names are snake_case and have a meaning", () => {
  for (const [reason, meaning] of Object.entries(REASONS)) {
    assert.match(reason, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    assert.match(meaning, /\.$/);
  }
});
