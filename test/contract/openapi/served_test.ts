// The published document as an integrator gets it: complete and valid OpenAPI 3.1. (Answers are checked
// against it wherever these tests read one.)

import assert from "node:assert/strict";
import { ERROR_CODES, type ErrorCode } from "../../../src/contract/request/errors.ts";
import { RECORD_KINDS } from "../../../src/contract/record/kinds.ts";
import { type OperationId, type Route, ROUTES } from "../../../src/contract/routes.ts";
import { unreachableDatabase } from "../support.ts";
import { coreOn } from "../core.ts";
import { type OpenApi, resolve, type Schema } from "./document.ts";
import { mediaTypesOf, OPTIONAL_HEADERS } from "./document.ts";

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];
/** The JSON Schema keywords of OpenAPI 3.1 used here. `nullable` belongs to 3.0 and has no meaning. */
const KEYWORDS = [
  "$ref",
  "type",
  "properties",
  "additionalProperties",
  "items",
  "required",
  "enum",
  "pattern",
  "format",
  "example",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "anyOf",
  "oneOf",
  "allOf",
  "default",
  "description",
  "propertyNames",
];

async function fetchDocument(): Promise<OpenApi> {
  const db = unreachableDatabase();
  try {
    const response = await coreOn(db).app.request("/api/v1/openapi.json");
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type")!, /^application\/json/);
    return await response.json();
  } finally {
    await db.close();
  }
}

const document = await fetchDocument();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
);

/** Every schema of the document with its place. */
function* schemas(): Generator<[string, Schema]> {
  for (const [name, schema] of Object.entries(document.components.schemas)) yield* within(name, schema);
  for (const { operation } of operations) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    for (const { name, schema } of parameters) yield* within(`${operationId} ${name}`, schema);
    for (const body of [requestBody, ...Object.values(responses)]) {
      if (body?.content) yield* within(operationId, Object.values(body.content)[0]!.schema);
    }
  }
}

function* within(place: string, schema: Schema): Generator<[string, Schema]> {
  yield [place, schema];
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    yield* within(`${place}.${name}`, member);
  }
  const { items, additionalProperties: rest } = schema;
  if (items) yield* within(`${place}[]`, items);
  if (typeof rest === "object") yield* within(`${place}.*`, rest);
  for (const part of [...schema.allOf ?? [], ...schema.anyOf ?? [], ...schema.oneOf ?? []]) {
    yield* within(place, part);
  }
}

Deno.test("document: OpenAPI 3.1, with its parts in place", () => {
  assert.equal(document.openapi, "3.1.0");
  assert.ok(document.info.title && document.info.version);
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids.toSorted(), Object.keys(ROUTES).sort());
  for (const { path, method, operation } of operations) {
    assert.match(path, /^\/api\/v1\/[a-z{}_/-]+$/);
    assert.ok(["get", "post", "put", "patch"].includes(method));
    assert.ok(operation.summary);
    for (const [status, response] of Object.entries(operation.responses)) {
      assert.match(status, /^[2-5]\d\d$/);
      assert.ok(response.description);
      if (status === "304") {
        assert.equal(response.content, undefined);
        continue;
      }
      const route = ROUTES[operation.operationId as OperationId] as Route;
      assert.deepEqual(Object.keys(response.content), [...mediaTypesOf(route, Number(status))]);
    }
  }
});

Deno.test("document: every schema is valid, and every reference resolves", () => {
  for (const [place, schema] of schemas()) {
    for (const keyword of Object.keys(schema)) assert.ok(KEYWORDS.includes(keyword), `${place}: ${keyword}`);
    for (const type of [schema.type ?? []].flat()) assert.ok(TYPES.includes(type), `${place}: ${type}`);
    if (schema.pattern) new RegExp(schema.pattern, "u");
    resolve(schema);
    for (const name of schema.required ?? []) {
      const named = schema.properties?.[name] ?? schema.allOf;
      assert.ok(named, `${place} requires ${name}, which it does not describe`);
    }
  }
});

Deno.test("document: answers omit nothing", () => {
  // Nullable fields are null, never omitted: no member of an answer is optional. In the format of the ATT&CK Navigator,
  // which is not ours, a technique without a score has no such property.
  for (const { operation } of operations) {
    const { content } = operation.responses[ROUTES[operation.operationId as OperationId].status]!;
    const { schema } = Object.values(content)[0]!;
    for (const [place, part] of reachable(operation.operationId, schema)) {
      for (const name of Object.keys(part.properties ?? {})) {
        const isForeign = name === "score" && "techniqueID" in part.properties!;
        assert.ok(isForeign || part.required?.includes(name), `${place}.${name} may be left out`);
      }
    }
  }
});

/** As `within`, through references, each schema once. */
function reachable(place: string, schema: Schema, seen = new Map<Schema, string>()): [string, Schema][] {
  for (const [inner, part] of within(place, schema)) {
    const target = resolve(part);
    if (seen.has(target)) continue;
    seen.set(target, inner);
    reachable(inner, target, seen);
  }
  return [...seen].map(([part, inner]) => [inner, part]);
}

Deno.test("document: each operation's parameters, credentials and errors", () => {
  for (const { path, operation } of operations) {
    const { operationId, parameters = [], security, responses } = operation;
    const route: Route = ROUTES[operationId as OperationId];
    for (const { name, in: place, required } of parameters) {
      assert.equal(required, place !== "query" && !OPTIONAL_HEADERS.includes(name), `${operationId} ${name}`);
      assert.ok(place !== "path" || path.includes(`{${name}}`));
    }
    assert.ok(security.length > 0, "no operation is public");
    for (const scheme of security.flatMap(Object.keys)) {
      assert.equal(document.components.securitySchemes[scheme]?.type, "apiKey");
    }
    const also: number[] = route.alsoStatus ?? [];
    for (const [status, response] of withBody(responses)) {
      const success = Number(status) === route.status || also.includes(Number(status));
      const { schema } = Object.values(response.content)[0]!;
      assert.equal(isError(schema), !success, `${operationId} ${status}`);
    }
    const query = parameters.filter(({ in: place }) => place === "query").map(({ name }) => name);
    const namesObject = path.includes("{") || route.bodyNamesObject === true ||
      route.queryNamesObject !== undefined;
    assert.equal(responses[404] !== undefined, namesObject);
    assert.equal(responses[410] !== undefined, query.includes("cursor"));
    if (query.length > 0) assert.ok(responses[400]);
  }
});

/** The responses that have a body: all but 304. */
function withBody<Answer>(responses: Record<string, Answer>): [string, Answer][] {
  return Object.entries(responses).filter(([status]) => status !== "304");
}

/** Whether a schema is only that of an error. */
function isError(schema: Schema): boolean {
  return Object.keys(resolve(schema).properties ?? {}).join() === "error";
}

Deno.test("document: each error has the codes of its status, with an example", () => {
  /** Codes with further statuses, as in the interface document. */
  const more = { invalid_request: [409, 415, 422, 428], source_unavailable: [429] } as Record<
    string,
    number[]
  >;
  for (const { operation: { operationId, responses } } of operations) {
    for (const [status, { content, description }] of withBody(responses)) {
      const { schema, examples = {} } = Object.values(content)[0]!;
      const errors = [schema, ...schema.anyOf ?? []].filter(isError).map(resolve);
      const codes = errors.flatMap((one) => one.properties!.error!.properties!.code!.enum as ErrorCode[]);
      const shown = Object.values(examples).map(({ value }) => value as { error?: { code: ErrorCode } });
      assert.deepEqual(new Set(shown.flatMap(({ error }) => error?.code ?? [])), new Set(codes));
      for (const code of codes) {
        const statuses = [ERROR_CODES[code].status, ...more[code] ?? []];
        assert.ok(statuses.includes(Number(status)), `${operationId} ${status}: ${code}`);
        assert.ok(description.includes(`\`${code}\``));
        assert.ok(document.info.description.includes(`| \`${code}\` |`));
      }
    }
  }
});

Deno.test("document: limits, vocabularies and bodies are described", () => {
  const limit = document.paths["/api/v1/flows"]!.get!.parameters!.find(({ name }) => name === "limit")!;
  assert.deepEqual(
    limit.schema,
    { type: "integer", minimum: 1, maximum: 500, default: 100 },
  );
  const { RawRecord, DevicePatch, IncidentPatch } = document.components.schemas;
  assert.deepEqual(RawRecord!.properties!.kind!.enum, [...RECORD_KINDS]);
  assert.equal(DevicePatch!.additionalProperties, false);
  assert.equal(IncidentPatch!.additionalProperties, false);
  assert.deepEqual(IncidentPatch!.required, ["status"]);
});
