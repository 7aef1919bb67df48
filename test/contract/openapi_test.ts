import assert from "node:assert/strict";
import { openApiText } from "../../src/contract/openapi.ts";
import { type Route, ROUTES } from "../../src/contract/routes.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}
interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean };
  responses: Record<string, { headers?: Record<string, unknown>; content: Record<string, { schema: Schema }> }>;
  security: Record<string, string[]>[];
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> };
}

const document: Document = JSON.parse(openApiText());

Deno.test("openapi: exactly the routes of the table", () => {
  assert.equal(document.openapi, "3.1.0");
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => `${operation.operationId} ${method.toUpperCase()} ${path}`)
  );
  const routed = (Object.entries(ROUTES) as [string, Route][]).map(([id, route]) => `${id} ${route.method} ${route.path}`);
  assert.deepEqual(documented.sort(), routed.sort());
});

for (const [id, route] of Object.entries(ROUTES) as [string, Route][]) {
  Deno.test(`openapi: ${id} says what it needs and what it answers`, () => {
    const operation = document.paths[route.path]![route.method.toLowerCase()]!;
    const parameters = new Map(operation.parameters?.map((parameter) => [parameter.name, parameter]) ?? []);
    const named = (place: string) => [...parameters.values()].filter((one) => one.in === place).map((one) => one.name);

    assert.deepEqual(named("path").sort(), [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort());
    assert.deepEqual(named("query").sort(), Object.keys(route.query?.shape ?? {}).sort());
    assert.deepEqual(named("header").sort(), [
      ...(route.write ? ["Idempotency-Key"] : []),
      ...(route.revisioned ? ["If-Match"] : []),
    ]);
    assert.equal(operation.requestBody?.required ?? false, route.body !== undefined);
    assert.deepEqual(Object.keys(operation.security[0]!), route.method === "GET" ? ["session"] : ["session", "csrf"]);

    const statuses = [route.status, ...(route.alsoStatus ?? []), 401, 403, 500, 503];
    if (route.write) statuses.push(400, 409, 413, 422);
    if (route.revisioned) statuses.push(412, 428);
    for (const status of statuses) assert.ok(operation.responses[status], `status ${status}`);
    assert.ok(!route.revisioned || operation.responses[route.status]!.headers?.["ETag"]);
    assert.equal(operation.responses[401]!.content["application/json"]!.schema.$ref, "#/components/schemas/Error");
  });
}

Deno.test("openapi: a field that may be null says so", () => {
  const { schemas } = document.components;
  const wrong: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    for (const [field, property] of Object.entries(schema.properties ?? {})) {
      if (allowsNull(property) !== isNullable(name, field)) wrong.push(`${name}.${field}`);
    }
  }
  assert.deepEqual(wrong, []);
});

function allowsNull(schema: Schema): boolean {
  return schema.type === "null" || (Array.isArray(schema.type) && schema.type.includes("null")) ||
    (schema.anyOf?.some(allowsNull) ?? false);
}

/** Whether the schema that the service itself checks with takes null there. */
function isNullable(name: string, field: string): boolean {
  for (const schema of schemasOf(Object.values(ROUTES) as Route[])) {
    if (schema.meta !== name) continue;
    return schema.shape[field]!.safeParse(null).success;
  }
  return false;
}
