// Whether an answer matches the published OpenAPI document, with the subset of JSON Schema that it uses.

import assert from "node:assert/strict";
import { openApiText } from "../../../src/contract/openapi.ts";
import { type OperationId, type Route, ROUTES } from "../../../src/contract/routes.ts";

export type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  required?: string[];
  enum?: unknown[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

interface DocumentedAnswer {
  description: string;
  headers?: Record<string, { description: string; required?: boolean; schema: Schema }>;
  content: Record<string, {
    schema: Schema;
    example?: unknown;
    examples?: Record<string, { summary: string; value: unknown }>;
  }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, DocumentedAnswer>;
  security: Record<string, string[]>[];
  "x-required-role": string;
}

export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, { type: string }> };
}

export const OPTIONAL_HEADERS: readonly string[] = ["If-None-Match", "Last-Event-ID"];

export const theDocument: OpenApi = JSON.parse(openApiText());

/** The document's description of an operation. */
export function operationOf(id: OperationId): Operation {
  const { path, method }: Route = ROUTES[id];
  const operation = theDocument.paths[path]?.[method.toLowerCase()];
  assert.ok(operation, `${id} is not documented`);
  return operation;
}

/** Throws unless the document describes this answer of an operation; integers above 2^53 may be `bigint`. */
export function conformsToDocument(id: OperationId, status: number, body: unknown): void {
  const response = operationOf(id).responses[status];
  assert.ok(response, `${id} does not document status ${status}: ${showOf(body)}`);
  const problem = mismatch(Object.values(response.content)[0]!.schema, body, "$");
  assert.equal(problem, null, `${id} ${status}: ${problem}`);
}

/** The media types of a route's answer with this status. */
export function mediaTypesOf(
  { download, stream, status: success }: Route,
  status: number,
): readonly string[] {
  if (status !== success) return ["application/json"];
  if (stream) return ["text/event-stream"];
  return typeof download === "object" ? download.types : ["application/json"];
}

/** Throws unless all headers that the document always promises are present and valid. */
export function hasDocumentedHeaders(id: OperationId, response: Response): void {
  const documented = operationOf(id).responses[response.status]?.headers ?? {};
  for (const [name, { required, schema }] of Object.entries(documented)) {
    const text = response.headers.get(name);
    if (text === null) {
      assert.ok(!required, `${id} ${response.status}: ${name} is missing`);
      continue;
    }
    const value = schema.type === "integer" && /^\d+$/.test(text) ? Number(text) : text;
    assert.equal(mismatch(schema, value, name), null, `${id} ${response.status}`);
  }
  for (const name of ["ETag", "Retry-After"]) {
    const undocumented = response.headers.has(name) && !(name in documented);
    assert.ok(!undocumented, `${id} ${response.status}: ${name} is not documented`);
  }
}

/** The schema behind a reference. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = /^#\/components\/schemas\/([\w.-]+)$/.exec(schema.$ref)?.[1];
  const found = theDocument.components.schemas[name ?? ""];
  assert.ok(found, `${schema.$ref} leads nowhere`);
  return resolve(found);
}

/** Resolves references and merges the members of extended schemas. */
export function flatten(schema: Schema): Schema {
  const { allOf, ...own } = resolve(schema);
  if (!allOf) return own;
  const parts = [...allOf.map(flatten), own];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  };
}

/** The part of `value` that the schema does not allow, or null. Unnamed members are not allowed. */
export function mismatch(reference: Schema, value: unknown, path: string): string | null {
  const schema = flatten(reference);
  // The members of a sensor's record.
  if (Object.keys(schema).length === 0) return null;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const problems = choices.map((choice) => mismatch(choice, value, path));
    if (!problems.includes(null)) return problems.join(" or ");
  }
  if (schema.type !== undefined && ![schema.type].flat().includes(typeOf(value, schema))) {
    return `${path}: ${showOf(value)} is not ${schema.type}`;
  }
  if (schema.enum && !schema.enum.includes(value)) return `${path}: ${value} is not one of ${schema.enum}`;
  if (typeof value === "string") return textMismatch(schema, value, path);
  if (typeof value === "number" || typeof value === "bigint") return numberMismatch(schema, value, path);
  if (Array.isArray(value)) return listMismatch(schema, value, path);
  if (typeof value === "object" && value !== null) return objectMismatch(schema, value, path);
  return null;
}

function showOf(value: unknown): string {
  return JSON.stringify(value, (_, member) => typeof member === "bigint" ? String(member) : member);
}

function typeOf(value: unknown, schema: Schema): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") return "integer";
  if (typeof value !== "number") return typeof value;
  return Number.isInteger(value) && [schema.type].flat().includes("integer") ? "integer" : "number";
}

function textMismatch(schema: Schema, value: string, path: string): string | null {
  if (schema.pattern && !new RegExp(schema.pattern, "u").test(value)) {
    return `${path}: ${value} !~ ${schema.pattern}`;
  }
  if (value.length < (schema.minLength ?? 0)) return `${path} is too short`;
  if (value.length > (schema.maxLength ?? Infinity)) return `${path} is too long`;
  return null;
}

function numberMismatch(schema: Schema, value: number | bigint, path: string): string | null {
  if (value < (schema.minimum ?? -Infinity)) return `${path}: ${value} is too small`;
  if (value <= (schema.exclusiveMinimum ?? -Infinity)) return `${path}: ${value} is too small`;
  if (value > (schema.maximum ?? Infinity)) return `${path}: ${value} is too large`;
  return null;
}

function listMismatch(schema: Schema, value: unknown[], path: string): string | null {
  if (value.length < (schema.minItems ?? 0)) return `${path} has too few items`;
  if (value.length > (schema.maxItems ?? Infinity)) return `${path} has too many items`;
  return first(value.map((item, index) => schema.items && mismatch(schema.items, item, `${path}[${index}]`)));
}

function objectMismatch(schema: Schema, value: object, path: string): string | null {
  const missing = (schema.required ?? []).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path}.${missing} is missing`;
  if (schema.anyOf ?? schema.oneOf) return null;
  return first(
    Object.entries(value).map(([name, member]) => {
      const known = schema.properties?.[name];
      if (known) return mismatch(known, member, `${path}.${name}`);
      const rest = schema.additionalProperties;
      if (rest === undefined || rest === false) return `${path}.${name} is not documented`;
      return typeof rest === "object" ? mismatch(rest, member, `${path}.${name}`) : null;
    }),
  );
}

function first(problems: (string | null | undefined)[]): string | null {
  return problems.find((problem) => typeof problem === "string") ?? null;
}
