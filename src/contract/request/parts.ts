// Validation of request parts, shared by both layers: the web layer validates before signing, the core
// validates again. Each function throws ApiError for invalid input.

import { z } from "@hono/zod-openapi";
import { JsonError, parseJson } from "../../kit/json/json.ts";
import { nearest } from "../../kit/nearest.ts";
import { ApiError } from "./errors.ts";
import { fieldIssues, issueText } from "./issue-text.ts";

/** Maximum size of API request bodies, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;
const MAX_ISSUES = 20;
/** Longest part of an unknown parameter's name that is compared and returned, in characters. */
const MAX_PARAMETER_NAME = 128;

/** `Idempotency-Key`: 1 to 128 visible ASCII characters. */
export function readIdempotencyKey(header: string | null | undefined): string {
  if (header === null || header === undefined) {
    throw new ApiError("invalid_request", "Idempotency-Key: the header is required for writes.", {
      reason: "missing_header",
      header: "Idempotency-Key",
    });
  }
  if (!/^[\x21-\x7e]{1,128}$/.test(header)) {
    throw new ApiError("invalid_request", "Idempotency-Key: expected 1 to 128 visible ASCII characters.", {
      reason: "invalid_header",
      header: "Idempotency-Key",
    });
  }
  return header;
}

/** `If-Match`: exactly one strong entity tag that is a revision, `"3"`. */
export function readIfMatch(header: string | null | undefined): number {
  if (header === null || header === undefined) {
    throw new ApiError(
      "invalid_request",
      'If-Match: the header is required for this write, with a quoted revision such as "3".',
      { reason: "missing_header", header: "If-Match" },
      428,
    );
  }
  const match = /^"([1-9]\d{0,8})"$/.exec(header);
  if (match === null) {
    throw new ApiError("invalid_request", 'If-Match: expected exactly one quoted revision, such as "3".', {
      reason: "invalid_header",
      header: "If-Match",
    });
  }
  return Number(match[1]);
}

/**
 * Refuses query parameters that a route does not define: a misspelt filter would otherwise answer with
 * everything.
 */
export function refuseUnknownParameters(schema: z.ZodObject | undefined, search: URLSearchParams): void {
  const allowed = Object.keys(schema?.shape ?? {});
  const unknown = [...new Set(search.keys())].filter((name) => !allowed.includes(name)).slice(0, MAX_ISSUES);
  if (unknown.length === 0) return;
  // The client chose the name's length, and the comparison costs the product of both lengths.
  const issues = unknown.map((name) => name.slice(0, MAX_PARAMETER_NAME)).map((path) => {
    const meant = nearest(path, allowed);
    const hint = meant === null
      ? "this operation has no query parameters"
      : `did you mean ${meant}? Allowed: ${allowed.join(", ")}`;
    return { path, message: `unknown query parameter; ${hint}` };
  });
  const { path, message } = issues[0]!;
  throw new ApiError("invalid_request", `${path}: ${message}`, {
    reason: "unknown_parameter",
    allowed,
    issues,
  });
}

/** Reads a query. A repeated parameter is rejected as ambiguous, unless its schema is a list. */
export function readQuery<T extends z.ZodObject>(schema: T, search: URLSearchParams): z.output<T> {
  const given: Record<string, string | string[]> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const values = search.getAll(name);
    if (isList(field)) {
      if (values.length > 0) given[name] = values;
      continue;
    }
    if (values.length > 1) {
      throw new ApiError("invalid_request", `${name}: expected a single value, got ${values.length}.`, {
        reason: "repeated_parameter",
        issues: [{ path: name, message: "expected a single value" }],
      });
    }
    if (values.length === 1) given[name] = values[0]!;
  }
  // A fault of one value of a list is a fault of the parameter.
  return check(schema, given, (path) => path.split(".", 1)[0]!);
}

function isList(field: z.core.$ZodType): boolean {
  return field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodArray;
}

/** Reads a JSON body. Strict schemas reject unknown keys. */
export function readJsonBody<T extends z.ZodType>(
  schema: T,
  contentType: string | null | undefined,
  body: Uint8Array,
): z.output<T> {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? "")) {
    throw new ApiError("invalid_request", "Content-Type: expected application/json.", {
      reason: "content_type",
      header: "Content-Type",
    }, 415);
  }
  return check(schema, parseBody(body));
}

function parseBody(body: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new ApiError("invalid_request", "The body is not valid UTF-8.", { reason: "not_utf8" });
  }
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new ApiError("invalid_request", "The body is not a single valid JSON value.", {
      reason: "not_json",
      position: error.position,
      fault: error.message,
    });
  }
}

function check<T extends z.ZodType>(
  schema: T,
  value: unknown,
  shownPath: (path: string) => string = (path) => path,
): z.output<T> {
  const result = schema.safeParse(value, { error: issueText });
  if (result.success) return result.data;
  const issues = fieldIssues(result.error.issues.slice(0, MAX_ISSUES)).slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: shownPath(path), message }));
  const first = issues[0]!;
  throw new ApiError(
    "invalid_request",
    first.path === "" ? first.message : `${first.path}: ${first.message}`,
    { reason: "invalid_field", issues },
  );
}
