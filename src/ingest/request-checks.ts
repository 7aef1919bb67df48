import type { IncomingMessage } from "node:http";
import { ApiError } from "../contract/request/errors.ts";
import { isLoopbackIp, parseIp } from "../kit/net/ip.ts";
import type { Exchange } from "./response.ts";

/** The common media type of NDJSON and the one that some transports use. */
const CONTENT_TYPES = ["application/x-ndjson", "application/ndjson"];

export function requireMethod(exchange: Exchange, method: "GET" | "POST"): void {
  if (exchange.request.method === method) return;
  exchange.response.setHeader("Allow", method);
  throw new ApiError("invalid_request", `Expected the method ${method}.`, {
    reason: "method",
    allow: [method],
  }, 405);
}

/** Whether the request arrived on a loopback address, by the socket, not by its headers. */
export function isLocal(request: IncomingMessage): boolean {
  const text = request.socket.localAddress;
  // A unix socket has no address and is reachable from this machine only.
  if (text === undefined) return true;
  const address = parseIp(text);
  return address !== null && isLoopbackIp(address);
}

/** An absent type counts as NDJSON, the only format of this route; any other is rejected. */
export function checkContentType(request: IncomingMessage): void {
  const type = request.headers["content-type"]?.replace(/;.*$/s, "").trim().toLowerCase();
  if (type === undefined || CONTENT_TYPES.includes(type)) return;
  const message = `The Content-Type is not supported: expected ${CONTENT_TYPES[0]}.`;
  throw new ApiError("invalid_request", message, { reason: "content_type" }, 415);
}
