// Whether an answer is what the published OpenAPI document says, with the part of JSON Schema that it uses.

import assert from "node:assert/strict";
import { openApiText } from "../../src/contract/openapi.ts";
import { type Route, ROUTES } from "../../src/contract/routes.ts";

export type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  required?: string[];
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

export interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<
    string,
    { description: string; headers?: Record<string, unknown>; content: Record<string, { schema: Schema }> }
  >;
  security: Record<string, string[]>[];
}

export interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, { type: string }> };
}

const document: OpenApi = JSON.parse(openApiText());

/** Throws unless the document describes this answer of an operation. */
export function conformsToDocument(id: keyof typeof ROUTES, status: number, body: unknown): void {
  const route: Route = ROUTES[id];
  const operation = document.paths[route.path]![route.method.toLowerCase()]!;
  const response = operation.responses[status];
  assert.ok(response, `${id} does not document status ${status}`);
  const problem = mismatch(response.content["application/json"]!.schema, body, "$");
  assert.equal(problem, null, `${id} ${status}: ${problem}`);
}

/** The schema behind a reference. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = /^#\/components\/schemas\/([\w.-]+)$/.exec(schema.$ref)?.[1];
  const found = document.components.schemas[name ?? ""];
  assert.ok(found, `${schema.$ref} leads nowhere`);
  return resolve(found);
}

/** What of `value` the schema does not allow, or null. */
function mismatch(reference: Schema, value: unknown, path: string): string | null {
  const schema = resolve(reference);
  for (const part of schema.allOf ?? []) {
    const problem = mismatch(part, value, path);
    if (problem) return problem;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const problems = choices.map((choice) => mismatch(choice, value, path));
    if (!problems.includes(null)) return problems.join(" or ");
  }
  if (schema.type !== undefined && ![schema.type].flat().includes(typeOf(value, schema))) {
    return `${path}: ${JSON.stringify(value)} is not ${schema.type}`;
  }
  if (schema.enum && !schema.enum.includes(value)) return `${path}: ${value} is not one of ${schema.enum}`;
  if (typeof value === "string") return textMismatch(schema, value, path);
  if (typeof value === "number") return numberMismatch(schema, value, path);
  if (Array.isArray(value)) {
    return first(
      value.map((item, index) => schema.items && mismatch(schema.items, item, `${path}[${index}]`)),
    );
  }
  if (typeof value === "object" && value !== null) {
    return objectMismatch(schema, value as Record<string, unknown>, path);
  }
  return null;
}

function typeOf(value: unknown, schema: Schema): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
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

function numberMismatch(schema: Schema, value: number, path: string): string | null {
  if (value < (schema.minimum ?? -Infinity)) return `${path}: ${value} is too small`;
  if (value <= (schema.exclusiveMinimum ?? -Infinity)) return `${path}: ${value} is too small`;
  if (value > (schema.maximum ?? Infinity)) return `${path}: ${value} is too large`;
  return null;
}

function objectMismatch(schema: Schema, value: Record<string, unknown>, path: string): string | null {
  const missing = (schema.required ?? []).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path}.${missing} is missing`;
  return first(
    Object.entries(value).map(([name, member]) => {
      const known = schema.properties?.[name];
      if (known) return mismatch(known, member, `${path}.${name}`);
      const rest = schema.additionalProperties;
      if (rest === false) return `${path}.${name} is not documented`;
      return typeof rest === "object" ? mismatch(rest, member, `${path}.${name}`) : null;
    }),
  );
}

function first(problems: (string | null | undefined)[]): string | null {
  return problems.find((problem) => typeof problem === "string") ?? null;
}
