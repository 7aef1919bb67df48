import { stringifyJson } from "../../kit/json/json.ts";
import { formatMillis } from "../../kit/time.ts";
import type { ApiError } from "./errors.ts";

/**
 * `{ data, meta }` as JSON text, with `next_cursor` if given (null on the last page) and what stands beside it. `now` in
 * microseconds.
 */
export function dataEnvelope(
  data: unknown,
  requestId: string,
  now: number,
  nextCursor?: string | null,
  beside: Record<string, unknown> = {},
): string {
  const meta = { request_id: requestId, generated_at: formatMillis(now) };
  return stringifyJson(
    nextCursor === undefined ? { data, meta } : { data, meta, ...beside, next_cursor: nextCursor },
  );
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

/** Server-sent events. */
export interface EventStream {
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

export const EVENT_STREAM_TYPE = "text/event-stream";

/** The HTTP response for a stream that no proxy should hold back. */
export function eventStreamResponse({ body }: EventStream): Response {
  return new Response(body, {
    headers: { "Content-Type": EVENT_STREAM_TYPE, "Cache-Control": "no-store", "X-Accel-Buffering": "no" },
  });
}

/** A text that is streamed as a file. */
export interface Download {
  /** Of ASCII letters, digits, dots and hyphens. */
  fileName: string;
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Length of the body; null if it is not known before it ends. */
  bytes: number | null;
  /** Default: JSON. */
  contentType?: string;
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
  /** An HTML document of this program that browsers show. Nothing in it runs, and its origin is its own. */
  isDocument?: boolean;
}

/**
 * The HTTP response for a file whose content a sensor or an attacker chose: browsers save it, and would neither run
 * nor render anything in it. A document is shown with its own styles, in a sandbox: no script, no request, no form.
 */
export function downloadResponse(
  { fileName, body, bytes, contentType, headers, isDocument = false }: Download,
): Response {
  return new Response(body, {
    headers: {
      ...headers,
      "Content-Type": contentType ?? "application/json; charset=utf-8",
      ...(bytes === null ? {} : { "Content-Length": String(bytes) }),
      "Content-Disposition": `${isDocument ? "inline" : "attachment"}; filename="${fileName}"`,
      "Content-Security-Policy": isDocument
        ? "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
        : "default-src 'none'; sandbox",
      // Browsers refuse a sandboxed document that asks for an opener policy.
      ...(isDocument ? { "Cross-Origin-Opener-Policy": "unsafe-none" } : {}),
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    },
  });
}
