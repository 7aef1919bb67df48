import type { IncomingMessage } from "node:http";
import { ApiError } from "../contract/request/errors.ts";
import { isLoopbackIp, parseIp } from "../kit/net/ip.ts";
import type { Exchange } from "./response.ts";

/** NDJSON has one name in use and one that some transports prefer; both say the same. */
const CONTENT_TYPES = ["application/x-ndjson", "application/ndjson"];

export function requireMethod(exchange: Exchange, method: "GET" | "POST"): void {
  if (exchange.request.method === method) return;
  exchange.response.setHeader("Allow", method);
  throw new ApiError("invalid_request", `Expected the method ${method}.`, { reason: "method" }, 405);
}

/** By the address that the request came to, not by what it says. */
export function isLocal(request: IncomingMessage): boolean {
  const text = request.socket.localAddress;
  // A unix socket has no address; nobody beyond this machine reaches it.
  if (text === undefined) return true;
  const address = parseIp(text);
  return address !== null && isLoopbackIp(address);
}

/** Absent is taken as NDJSON, the only thing this route reads; anything else is a mistake worth telling. */
export function checkContentType(request: IncomingMessage): void {
  const type = request.headers["content-type"]?.replace(/;.*$/s, "").trim().toLowerCase();
  if (type === undefined || CONTENT_TYPES.includes(type)) return;
  const message = `The Content-Type is not supported: expected ${CONTENT_TYPES[0]}.`;
  throw new ApiError("invalid_request", message, { reason: "content_type" }, 415);
}
