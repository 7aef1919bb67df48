import type { IncomingMessage, ServerResponse } from "node:http";
import { errorEnvelope } from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import { randomUuid } from "../kit/id.ts";

/**
 * Refuses a request that would be read as something else than what was sent, and says whether it did. The signature
 * covers the pathname as received and the exact body, but whoever checks it sees a URL, in which `..` is resolved and a
 * fragment and another host are gone, and no body of a GET. The web layer sends nothing of the kind.
 */
export function refuseInexact(request: IncomingMessage, response: ServerResponse): boolean {
  if (isExactTarget(request.url ?? "") && !hasUnreadBody(request)) return false;
  const requestId = randomUuid();
  response.writeHead(401, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
    // What is left of the body is not read.
    "Connection": "close",
  });
  response.end(errorEnvelope(new ApiError("unauthenticated"), requestId));
  return true;
}

/** Whether a request target is a path, and the path that a URL makes of it. */
export function isExactTarget(target: string): boolean {
  if (!/^\/(?!\/)/.test(target) || target.includes("#")) return false;
  const url = URL.parse(`http://core.invalid${target}`);
  return url?.pathname === target.split("?", 1)[0];
}

function hasUnreadBody({ method, headers }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;
}
