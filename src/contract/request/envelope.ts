import { stringifyJson } from "../../kit/json/json.ts";
import { formatMillis } from "../../kit/time.ts";
import type { ApiError } from "./errors.ts";

/**
 * `{ data, meta }` as JSON text, with `next_cursor` if given (null on the last page). `now` in microseconds.
 */
export function dataEnvelope(
  data: unknown,
  requestId: string,
  now: number,
  nextCursor?: string | null,
): string {
  const meta = { request_id: requestId, generated_at: formatMillis(now) };
  return stringifyJson(nextCursor === undefined ? { data, meta } : { data, meta, next_cursor: nextCursor });
}

/** `{ error: { code, message, request_id, details } }` as JSON text. */
export function errorEnvelope(error: ApiError, requestId: string): string {
  const { code, message, details } = error;
  return stringifyJson({ error: { code, message, request_id: requestId, details } });
}

/** The HTTP response for an error. */
export function errorResponse(error: ApiError, requestId: string): Response {
  const response = jsonResponse(errorEnvelope(error, requestId), error.status);
  if (error.retryAfter !== null) response.headers.set("Retry-After", String(error.retryAfter));
  return response;
}

/** A JSON response that must not be cached, because it is specific to the user. */
export function jsonResponse(body: string, status: number): Response {
  return new Response(body, {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" },
  });
}
