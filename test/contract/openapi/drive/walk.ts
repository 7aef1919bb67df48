// Every case of every operation that can be caused from outside.

import assert from "node:assert/strict";
import { REASONS } from "../../../../src/contract/request/reasons.ts";
import { type OperationId, type Route, ROUTES } from "../../../../src/contract/routes.ts";
import { operationOf, type Parameter } from "../document.ts";
import { accountFor, type Answered, type ApiRequest, type Drive } from "./driver.ts";
import { badBodies, badValues, goodValues, isList } from "./values.ts";

/** Well-formed, without an object. */
const NEVER = "0190b2c3-ffff-7000-8000-0000000fffff";
const DAY = 86_400_000;
/** Operations whose window may cover this many days. */
const LONGEST_WINDOW: Partial<Record<OperationId, number>> = {
  listFlows: 31,
  getDevice: 31,
  exportSearch: 31,
  getCoverage: 31,
  getGraph: 1,
};

export const OPERATIONS = Object.entries(ROUTES) as [OperationId, Route][];

/**
 * Sends all valid and invalid requests of an operation, except those that need a fault inside the service.
 */
export async function walkOperation(drive: Drive, id: OperationId): Promise<void> {
  await succeedsAsDocumented(drive, id);
  await readsItsQuery(drive, id);
  await refusesStrangers(drive, id);
  await refusesMissingObjects(drive, id);
  await refusesBadBodies(drive, id);
  await refusesBadHeaders(drive, id);
}

export function expectError(answer: Answered, status: number, code: string, about: string): void {
  assert.equal(answer.status, status, `${about}: ${answer.text}`);
  assert.equal(answer.body.error.code, code, `${about}: ${answer.text}`);
  assert.ok(answer.body.error.details.reason in REASONS, `${about}: ${answer.text}`);
}

async function succeedsAsDocumented(drive: Drive, id: OperationId): Promise<void> {
  const route: Route = ROUTES[id];
  const request = await drive.good(id);
  // Only a person with two tenants can select another one; in a session of its own, because others stay
  // without a tenant.
  const account = route.choosesTenant ? "multi#2" : accountFor(route);
  const first = await drive.send(id, request, account);
  assert.equal(first.status, route.status, `${id}: ${first.text}`);
  if (!route.download && !route.stream) {
    assert.equal(first.headers.get("x-request-id"), first.body.meta.request_id, id);
  }
  if (first.headers.has("etag") && !route.conditional) {
    assert.equal(first.headers.get("etag"), `"${first.body.data.revision}"`);
  }
  if (route.method === "GET") {
    // There is no body of this encoding.
    const encoded = await drive.send(id, { ...request, headers: { "content-encoding": "gzip" } }, account);
    assert.equal(encoded.status, route.status, `${id} with Content-Encoding: ${encoded.text}`);
  }
  if (route.conditional) {
    const same = await drive.send(id, { ...request, headers: { "if-none-match": "*" } }, account);
    assert.equal(same.status, 304, id);
  }
  if (!route.write) return;

  const again = await drive.send(id, request, account);
  assert.equal(again.status, first.status, `${id} again: ${again.text}`);
  assert.equal(again.headers.get("etag"), first.headers.get("etag"));
  if (route.servedBy === "core") {
    assert.equal(again.text, first.text, `${id}: a replay returns the first answer`);
  }
  if (route.status === 201) {
    const another = await drive.send(id, await drive.good(id), account);
    assert.equal(another.status, 201, another.text);
    assert.notEqual(another.text, first.text, `${id}: another key creates another object`);
  }
  const reused = await drive.send(id, await withKeyOf(drive, id, request), account);
  expectError(reused, 422, "invalid_request", `${id}: the key of another request`);
}

/** Another request that is valid except for its key, which an earlier one used. */
async function withKeyOf(drive: Drive, id: OperationId, { headers, ...request }: ApiRequest) {
  if (id === "selectTenant") return { ...request, headers, body: { tenant_id: "branch" } };
  const key = headers["idempotency-key"];
  const other = await drive.good(id);
  // Nothing in the body could differ.
  if (Object.keys(other.body as object).length === 0) {
    const path = Object.fromEntries(Object.keys(other.path).map((name) => [name, NEVER]));
    return { ...other, path, headers: { ...other.headers, "idempotency-key": key } };
  }
  return {
    ...other,
    body: changed(other.body),
    headers: { ...other.headers, "idempotency-key": key },
  };
}

/** The body with another text in its first field of free text. */
function changed(body: unknown): unknown {
  const fields = Object.entries(body as Record<string, unknown>);
  const free = fields.find(([name]) =>
    ["comment", "reason", "details", "owner", "name", "assignee"].includes(name)
  );
  assert.ok(free !== undefined, `no free text in ${JSON.stringify(body)}`);
  return { ...body as object, [free[0]]: `${free[1]} again` };
}

async function readsItsQuery(drive: Drive, id: OperationId): Promise<void> {
  const route: Route = ROUTES[id];
  const good = await drive.good(id);
  const ask = (query: [string, string][]) => drive.send(id, { ...good, query });
  const parameters = operationOf(id).parameters?.filter((one) => one.in === "query") ?? [];
  if (route.method === "GET") {
    const unknown = await ask([["tenant_id", "branch"], ["nonsense", ""], ["nonsense", "2"]]);
    expectError(unknown, 400, "invalid_request", `${id}: an unknown parameter`);
    assert.equal(unknown.body.error.details.reason, "unknown_parameter", id);
  }
  for (const parameter of parameters) {
    for (const value of goodValues(parameter, (example) => drive.adapt(example))) {
      const answer = await ask(beside(drive, parameter, value));
      assert.equal(answer.status, route.status, `${id} ${parameter.name}=${value}: ${answer.text}`);
    }
    for (const value of badValues(parameter)) {
      refuses(await ask([[parameter.name, value]]), id, parameter, value);
    }
    if (isList(parameter)) {
      const all = goodValues(parameter, String).map((value): [string, string] => [parameter.name, value]);
      assert.ok(all.length > 1, parameter.name);
      const answer = await ask(all);
      assert.equal(answer.status, route.status, `${id} with ${all}: ${answer.text}`);
    } else {
      const twice = await ask([[parameter.name, "1"], [parameter.name, "1"]]);
      refuses(twice, id, parameter, "1 and 1");
    }
  }
  const all = parameters.filter(({ example }) => example !== undefined)
    .flatMap(({ name, example }) =>
      [example].flat().map((one): [string, string] => [name, String(drive.adapt(one))])
    );
  if (all.length > 0) {
    const answer = await ask(all);
    assert.equal(answer.status, route.status, `${id} with all of ${all}: ${answer.text}`);
  }
  if (parameters.some(({ name }) => name === "from")) await readsItsWindow(drive, id, ask);
}

/** A lone `to` or `from` needs its other end if the example is not from the last 15 minutes. */
function beside(drive: Drive, { name }: Parameter, value: string): [string, string][] {
  if (name === "from") return [[name, value], ["to", drive.time(0)]];
  return name === "to" ? [["from", drive.time(-DAY)], [name, value]] : [[name, value]];
}

function refuses(answer: Answered, id: OperationId, { name }: Parameter, value: string): void {
  const about = `${id} ${name}=${JSON.stringify(value).slice(0, 60)}`;
  expectError(answer, 400, "invalid_request", about);
  const { message, details } = answer.body.error;
  assert.ok(message.startsWith(`${name}: `), `${about}: ${message}`);
  assert.equal(details.issues?.[0]?.path, name, about);
}

async function readsItsWindow(
  drive: Drive,
  id: OperationId,
  ask: (query: [string, string][]) => Promise<Answered>,
): Promise<void> {
  const at = drive.time(-60_000);
  const later = drive.time(0);
  const empty: [string, string][][] = [
    [["from", at], ["to", at]],
    [["from", later], ["to", at]],
    [["from", drive.time(DAY)]],
  ];
  const days = LONGEST_WINDOW[id];
  const long = (length: number): [string, string][] => [["from", drive.time(-length * DAY)], ["to", later]];
  if (days !== undefined) empty.push(long(days + 1));
  for (const query of empty) expectError(await ask(query), 400, "invalid_time_range", `${id} ${query}`);
  assert.equal((await ask(long(days ?? 400))).status, 200, `${id}: the longest window`);
}

async function refusesStrangers(drive: Drive, id: OperationId): Promise<void> {
  const route: Route = ROUTES[id];
  const good = await drive.good(id);
  for (const account of ["nobody", "stranger"]) {
    expectError(await drive.send(id, good, account), 401, "unauthenticated", `${id} by ${account}`);
  }
  if (route.role !== "reader") {
    for (
      const account of ["reader", "analyst", "responder", "admin"].filter((one) => one !== accountFor(route))
    ) {
      expectError(await drive.send(id, good, account), 403, "forbidden", `${id} by ${account}`);
    }
  }
  if (route.tenant) {
    const answer = await drive.send(id, good, "multi");
    expectError(answer, 403, "forbidden", `${id} without a tenant`);
    assert.equal(answer.body.error.details.reason, "no_tenant_selected");
  }
  if (route.choosesTenant) {
    for (const tenant_id of ["branch", "no-such-tenant"]) {
      const answer = await drive.send(id, { ...good, body: { tenant_id } });
      expectError(answer, 403, "forbidden", `${id} of ${tenant_id}`);
    }
  }
  if (route.method === "GET") return;
  for (const token of [undefined, "", "x".repeat(43)]) {
    const headers = { ...good.headers, "x-csrf-token": token };
    expectError(
      await drive.send(id, { ...good, headers }),
      403,
      "forbidden",
      `${id} with CSRF token ${token}`,
    );
  }
}

async function refusesMissingObjects(drive: Drive, id: OperationId): Promise<void> {
  const route: Route = ROUTES[id];
  const good = await drive.good(id);
  for (const name of Object.keys(good.path)) {
    for (const value of [NEVER, "none", "ä", "x".repeat(128), "x".repeat(129), "\u0000", "../site", "a b"]) {
      const answer = await drive.send(id, { ...freshKey(good), path: { ...good.path, [name]: value } });
      expectError(answer, 404, "not_found", `${id} ${name}=${value}`);
    }
  }
  const name = route.queryNamesObject;
  for (const value of name === undefined ? [] : [NEVER, "none", "ä", "x".repeat(200), "../site"]) {
    const answer = await drive.send(id, { ...good, query: [[name!, value]] });
    expectError(answer, 404, "not_found", `${id} ${name}=${value}`);
  }
  if (!route.bodyNamesObject) return;
  const body = JSON.parse(JSON.stringify(good.body).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, NEVER));
  expectError(await drive.send(id, { ...freshKey(good), body }), 404, "not_found", `${id} of nothing`);
}

async function refusesBadBodies(drive: Drive, id: OperationId): Promise<void> {
  const content = operationOf(id).requestBody?.content["application/json"];
  if (!content) return;
  const good = await drive.good(id);
  for (const { body, field } of badBodies(content.schema, good.body as Record<string, unknown>)) {
    const answer = await drive.send(id, { ...freshKey(good), body });
    const about = `${id} with ${JSON.stringify(body)?.slice(0, 80)}`;
    expectError(answer, 400, "invalid_request", about);
    const { details } = answer.body.error;
    if (field !== "" && details.issues) {
      const paths = details.issues.map(({ path }) => path.split(".")[0]);
      assert.ok(paths.includes(field), `${about}: names ${paths}`);
    }
  }
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
    const headers = { ...freshKey(good).headers, "content-type": type };
    expectError(await drive.send(id, { ...good, headers }), 415, "invalid_request", `${id} as ${type}`);
  }
  const large = " ".repeat(1024 * 1024) + JSON.stringify(good.body);
  expectError(
    await drive.send(id, { ...freshKey(good), body: large }),
    413,
    "payload_too_large",
    `${id}: too large`,
  );
}

async function refusesBadHeaders(drive: Drive, id: OperationId): Promise<void> {
  const route: Route = ROUTES[id];
  if (!route.write) return;
  const good = await drive.good(id);
  const withHeader = (name: string, value: string | undefined) =>
    drive.send(id, { ...good, headers: { ...freshKey(good).headers, [name]: value } });
  for (const key of [undefined, "", "a b", "x".repeat(129)]) {
    expectError(await withHeader("idempotency-key", key), 400, "invalid_request", `${id} with key ${key}`);
  }
  if (!route.revisioned) return;
  const missing = await withHeader("if-match", undefined);
  expectError(missing, 428, "invalid_request", `${id} without If-Match`);
  for (const tag of ["3", 'W/"3"', "*", '"3", "4"', '"0"', '"x"', '""', '"-1"', '"9999999999"']) {
    expectError(await withHeader("if-match", tag), 400, "invalid_request", `${id} with If-Match ${tag}`);
  }
  const stale = await withHeader("if-match", '"999999"');
  expectError(stale, 412, "revision_conflict", `${id} with another revision`);
  assert.equal(typeof stale.body.error.details.revision, "number", "it names the current one");
}

function freshKey(request: ApiRequest): ApiRequest {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return request;
  return { ...request, headers: { ...request.headers, "idempotency-key": crypto.randomUUID() } };
}
