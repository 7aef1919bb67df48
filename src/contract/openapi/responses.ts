// The documented responses of an operation: success, and each error with an example.

import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { errorBody } from "../request/error-body.ts";
import { EVENT_STREAM_TYPE } from "../request/envelope.ts";
import type { ErrorCode } from "../request/errors.ts";
import type { Route } from "../request/route.ts";
import { ROUTES } from "../routes.ts";
import { MAX_EXPORTED_ROWS } from "../search/export.ts";
import { CONN_EVIDENCE_ID, EXAMPLE_META } from "./examples/ids.ts";
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
  /** Absent for a response without a body. */
  content?: Record<string, Content>;
}

const ETAG = {
  description: "The object's revision, quoted; send it as `If-Match` in a write to the object.",
  required: true,
  schema: { type: "string" as const, pattern: '^"[1-9][0-9]*"$', example: '"3"' },
};
const CONTENT_ETAG = {
  description: "Identifies the content; send it as `If-None-Match` with the next request.",
  required: true,
  schema: { type: "string" as const, pattern: '^"[\\w-]+"$', example: '"zV2k8oYbJ7nT0aXw"' },
};
const RETRY_AFTER = {
  description: "Seconds to wait before retrying.",
  schema: { type: "integer" as const, minimum: 0, example: 2 },
};

const CONTENT_DISPOSITION = {
  description: "Browsers save the body as this file.",
  required: true,
  schema: {
    type: "string" as const,
    pattern: '^attachment; filename="[\\w.-]+"$',
    example: `attachment; filename="zeek.conn-${CONN_EVIDENCE_ID}.json"`,
  },
};

const INLINE_DISPOSITION = {
  description: "Browsers show the document, and save it as this file.",
  required: true,
  schema: {
    type: "string" as const,
    pattern: '^inline; filename="[\\w.-]+"$',
    example: `inline; filename="brief-2026-01-30.html"`,
  },
};

const RESULT_HEADERS = {
  "X-Result-Limit": {
    description: "Maximum number of rows.",
    required: true,
    schema: { type: "integer" as const, example: MAX_EXPORTED_ROWS },
  },
  "X-Result-Truncated": {
    description: "Whether there are more rows.",
    required: true,
    schema: { type: "string" as const, enum: ["true", "false", "unknown"], example: "false" },
  },
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
      headers: {
        "X-Request-Id": REQUEST_ID,
        ...(showsRevision(route) ? { ETag: ETAG } : {}),
        ...(route.conditional ? { ETag: CONTENT_ETAG } : {}),
        ...downloadHeaders(route),
      },
      content: Object.fromEntries(
        mediaTypes(route).map((type) => [
          type,
          { schema: route.response, ...(example ? { example } : {}) },
        ]),
      ),
    },
  };
  if (route.conditional) {
    answers[304] = {
      description: "The content is that of `If-None-Match`. No body.",
      headers: { "X-Request-Id": REQUEST_ID, ETag: CONTENT_ETAG },
    };
  }
  const byStatus = Map.groupBy(errorResponsesOf(route), ({ status }) => status);
  for (const [status, errors] of byStatus) answers[status] = errorAnswer(errors);
  for (const status of route.alsoStatus ?? []) {
    answers[status] = alsoWith(route, example, answers[status]);
  }
  return answers;
}

function downloadHeaders({ download }: Route): NonNullable<AnswerObject["headers"]> {
  if (!download) return {};
  if (download === true) return { "Content-Disposition": CONTENT_DISPOSITION };
  return download.document
    ? { "Content-Disposition": INLINE_DISPOSITION }
    : { "Content-Disposition": CONTENT_DISPOSITION, ...RESULT_HEADERS };
}

function mediaTypes({ download, stream }: Route): readonly string[] {
  if (stream) return [EVENT_STREAM_TYPE];
  return typeof download === "object" ? download.types : ["application/json"];
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
  const { schema, examples } = error.content!["application/json"]!;
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
