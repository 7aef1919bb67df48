import type { IncomingMessage, ServerResponse } from "node:http";
import { errorEnvelope } from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import { randomUuid } from "../kit/id.ts";

/**
 * Rejects a request whose parsed form would differ from the bytes sent; returns whether it did. The signature
 * covers the pathname as received and the exact body, but verification sees a parsed URL, which has resolved
 * `..` and dropped fragments and foreign hosts, and never sees the body of a GET. The web layer sends no such
 * requests.
 */
export function rejectInexactRequest(request: IncomingMessage, response: ServerResponse): boolean {
  if (isExactTarget(request.url ?? "") && !hasUnreadBody(request)) return false;
  const requestId = randomUuid();
  response.writeHead(401, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
    // The rest of the body stays unread.
    "Connection": "close",
  });
  response.end(errorEnvelope(new ApiError("unauthenticated"), requestId));
  return true;
}

/** Whether a request target is a path that URL parsing leaves unchanged. */
export function isExactTarget(target: string): boolean {
  if (!/^\/(?!\/)/.test(target) || target.includes("#")) return false;
  const url = URL.parse(`http://core.invalid${target}`);
  return url?.pathname === target.split("?", 1)[0];
}

function hasUnreadBody({ method, headers }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;
}
