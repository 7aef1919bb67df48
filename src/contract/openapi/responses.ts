// The documented responses of an operation: success, and each error with an example.

import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { errorBody } from "../request/error-body.ts";
import type { ErrorCode } from "../request/errors.ts";
import type { Route } from "../request/route.ts";
import { ROUTES } from "../routes.ts";
import { EXAMPLE_META } from "./examples/ids.ts";
import { type ErrorResponse, errorResponsesOf } from "./error-responses.ts";

type Documented = Parameters<OpenAPIHono["openAPIRegistry"]["registerPath"]>[0]["responses"][string];

interface Content {
  schema: z.ZodType;
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}
interface AnswerObject {
  description: string;
  headers?: Exclude<Documented, { $ref: string }>["headers"];
  content: { "application/json": Content };
}

const ETAG = {
  description: "The object's revision, quoted; send it as `If-Match` in a write to the object.",
  required: true,
  schema: { type: "string" as const, pattern: '^"[1-9][0-9]*"$', example: '"3"' },
};
const RETRY_AFTER = {
  description: "Seconds to wait before retrying.",
  schema: { type: "integer" as const, minimum: 0, example: 2 },
};

const REQUEST_ID = {
  description: "Identifies this request in the service's logs and audit; same as `request_id` in the body.",
  required: true,
  schema: { type: "string" as const, example: EXAMPLE_META.request_id },
};

/** Responses by status. `example` is the complete body of a success. */
export function responsesOf(route: Route, example: unknown): Record<string, AnswerObject> {
  const answers: Record<string, AnswerObject> = {
    [route.status]: {
      description: "Success.",
      headers: { "X-Request-Id": REQUEST_ID, ...(showsRevision(route) ? { ETag: ETAG } : {}) },
      content: { "application/json": { schema: route.response, ...(example ? { example } : {}) } },
    },
  };
  const byStatus = Map.groupBy(errorResponsesOf(route), ({ status }) => status);
  for (const [status, errors] of byStatus) answers[status] = errorAnswer(errors);
  for (const status of route.alsoStatus ?? []) {
    answers[status] = alsoWith(route, example, answers[status]);
  }
  return answers;
}

function errorAnswer(errors: ErrorResponse[]): AnswerObject {
  const codes = [...new Set(errors.map(({ code }) => code))];
  const { status } = errors[0]!;
  const waits = [409, 429, 503].includes(status);
  return {
    description: errors.map(({ code, when }) => `\`${code}\`: ${when}`).join("\n\n"),
    headers: {
      "X-Request-Id": REQUEST_ID,
      ...(waits ? { "Retry-After": { ...RETRY_AFTER, required: status !== 409 } } : {}),
    },
    content: {
      "application/json": {
        schema: errorSchema(codes),
        examples: Object.fromEntries(errors.map((one) => [one.name, exampleOf(one)])),
      },
    },
  };
}

/** A response with the success body under a status that an error can have as well. */
function alsoWith(route: Route, example: unknown, error: AnswerObject | undefined): AnswerObject {
  if (!error) throw new Error(`${route.path}: alsoStatus without an error of that status`);
  const { schema, examples } = error.content["application/json"];
  return {
    description: `The same body as a success.\n\n${error.description}`,
    headers: {
      "X-Request-Id": REQUEST_ID,
      "Retry-After": { ...RETRY_AFTER, description: "Seconds to wait before retrying; only with an error." },
    },
    content: {
      "application/json": {
        schema: z.union([route.response, schema]),
        examples: {
          ...(example ? { report: { summary: "The same body as a success.", value: example } } : {}),
          ...examples,
        },
      },
    },
  };
}

/** One schema per combination of codes. */
const ERROR_SCHEMAS = new Map<string, z.ZodType>();

function errorSchema(codes: ErrorCode[]): z.ZodType {
  const name = codes.join();
  const schema = ERROR_SCHEMAS.get(name) ?? errorBody(codes);
  ERROR_SCHEMAS.set(name, schema);
  return schema;
}

function exampleOf({ code, when, message, details }: ErrorResponse) {
  const { request_id } = EXAMPLE_META;
  return { summary: when, value: { error: { code, message, request_id, details } } };
}

/** Whether responses carry an `ETag`: those with a single revisioned object do. */
function showsRevision(route: Route): boolean {
  return route.tagged === true ||
    (Object.values(ROUTES) as Route[]).some((other) => other.revisioned && other.path === route.path);
}
