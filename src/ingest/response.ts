import type { IncomingMessage, ServerResponse } from "node:http";
import { clearTimeout, setTimeout } from "node:timers";
import type { ApiError } from "../contract/request/errors.ts";
import { isUnread, LINGER_BYTES, LINGER_MS } from "../kit/net/unread-body.ts";
import { formatMillis } from "../kit/time.ts";

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** Microseconds since the epoch. */
  now: () => number;
}

export function sendData(exchange: Exchange, data: object): void {
  const meta = { request_id: exchange.requestId, generated_at: formatMillis(exchange.now()) };
  send(exchange, 200, JSON.stringify({ data, meta }), {});
}

export function sendError(exchange: Exchange, error: ApiError): void {
  const headers: Record<string, string> = {};
  const body = {
    error: {
      code: error.code,
      message: error.message,
      request_id: exchange.requestId,
      details: error.details,
    },
  };
  if (error.retryAfter !== null) headers["Retry-After"] = String(Math.max(1, Math.ceil(error.retryAfter)));
  if (error.status === 401) headers["WWW-Authenticate"] = 'Bearer realm="ndr ingest"';
  send(exchange, error.status, JSON.stringify(body), headers);
}

function send(exchange: Exchange, status: number, body: string, headers: Record<string, string>): void {
  const { request, response } = exchange;
  if (response.headersSent || response.destroyed) return;
  const consumed = !isUnread(request);
  response.writeHead(status, {
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": String(new TextEncoder().encode(body).length),
    "Cache-Control": "no-store",
    ...(consumed ? {} : { Connection: "close" }),
  });
  if (consumed) {
    // Consume a received but unread body, so that the connection can be reused.
    request.resume();
    response.end(body);
  } else {
    response.write(body);
    linger(request, response);
  }
}

/**
 * Closes the connection after a rejected body. The response is complete, but closing with unread bytes resets
 * the connection and the sender may never see it, so a bounded part of the rest is drained first.
 */
function linger(request: IncomingMessage, response: ServerResponse): void {
  let left = LINGER_BYTES;
  const end = () => {
    clearTimeout(timer);
    request.off("data", onData).off("end", end).off("close", end);
    request.pause();
    response.end();
  };
  const onData = (chunk: Uint8Array) => {
    left -= chunk.length;
    if (left <= 0) end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.on("data", onData).on("end", end).on("close", end).on("error", () => {});
  request.resume();
}
