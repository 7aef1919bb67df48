import assert from "node:assert/strict";
import { z } from "@hono/zod-openapi";
import { type Route, ROUTES } from "../../../src/contract/routes.ts";
import { flatten, type Schema, theDocument as document } from "./document.ts";

Deno.test("openapi: exactly the routes of the table", () => {
  assert.equal(document.openapi, "3.1.0");
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      `${operation.operationId} ${method.toUpperCase()} ${path}`
    )
  );
  const routed = (Object.entries(ROUTES) as [string, Route][]).map(([id, route]) =>
    `${id} ${route.method} ${route.path}`
  );
  assert.deepEqual(documented.sort(), routed.sort());
});

for (const [id, route] of Object.entries(ROUTES) as [string, Route][]) {
  Deno.test(`openapi: ${id} documents its needs and answers`, () => {
    const operation = document.paths[route.path]![route.method.toLowerCase()]!;
    const parameters = new Map(operation.parameters?.map((parameter) => [parameter.name, parameter]) ?? []);
    const named = (place: string) =>
      [...parameters.values()].filter((one) => one.in === place).map((one) => one.name);

    assert.deepEqual(
      named("path").sort(),
      [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort(),
    );
    assert.deepEqual(named("query").sort(), Object.keys(route.query?.shape ?? {}).sort());
    assert.deepEqual(named("header").sort(), [
      ...(route.write ? ["Idempotency-Key"] : []),
      ...(route.revisioned ? ["If-Match"] : []),
      ...(route.conditional ? ["If-None-Match"] : []),
      ...(route.stream ? ["Last-Event-ID"] : []),
    ]);
    assert.equal(operation.requestBody?.required ?? false, route.body !== undefined);
    assert.deepEqual(
      Object.keys(operation.security[0]!),
      route.method === "GET" ? ["session"] : ["session", "csrf"],
    );

    const statuses = [route.status, ...(route.alsoStatus ?? []), 401, 429, 500, 503];
    if (route.conditional) statuses.push(304);
    if (route.tenant) statuses.push(403);
    if (route.write) statuses.push(400, 413, 422);
    if (route.write && route.servedBy === "core") statuses.push(409);
    if (route.revisioned) statuses.push(412, 428);
    for (const status of statuses) assert.ok(operation.responses[status], `status ${status}`);
    assert.ok(!route.revisioned || operation.responses[route.status]!.headers?.["ETag"]);
    assert.equal(operation["x-required-role"], route.role);
  });
}

Deno.test("openapi: answers have the documented fields, null if allowed", () => {
  const differences: string[] = [];
  for (const [id, route] of Object.entries(ROUTES) as [string, Route][]) {
    const { content } = document.paths[route.path]![route.method.toLowerCase()]!.responses[route.status]!;
    compare(route.response, Object.values(content)[0]!.schema, id, differences);
  }
  assert.deepEqual([...new Set(differences)], []);
});

/** Compares a schema of the service with the document's. */
function compare(
  checked: z.ZodType,
  documented: Schema | undefined,
  path: string,
  differences: string[],
): void {
  if (documented === undefined) return void differences.push(`${path} is not documented`);
  const alternatives = [documented, ...(documented.anyOf ?? []), ...(documented.oneOf ?? [])].map(flatten);
  const documentedNull = alternatives.some(({ type }) =>
    type === "null" || (Array.isArray(type) && type.includes("null"))
  );
  if (checked.safeParse(null).success !== documentedNull) differences.push(`${path}: nullable or not`);

  const inner = checked instanceof z.ZodNullable || checked instanceof z.ZodOptional
    ? checked.unwrap() as z.ZodType
    : checked;
  if (inner instanceof z.ZodObject) {
    const shown = alternatives.find(({ properties }) => properties);
    for (const [name, field] of Object.entries(inner.shape)) {
      compare(field as z.ZodType, field && shown?.properties?.[name], `${path}.${name}`, differences);
    }
    const required = Object.entries(inner.shape).filter(([, field]) => !(field instanceof z.ZodOptional));
    for (const [name] of required) {
      if (!shown?.required?.includes(name)) differences.push(`${path}.${name} is not documented as required`);
    }
  }
  if (inner instanceof z.ZodArray) {
    const shown = alternatives.find(({ items }) => items);
    compare(inner.element as z.ZodType, shown?.items, `${path}[]`, differences);
  }
}
