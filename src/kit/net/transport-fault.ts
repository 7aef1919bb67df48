import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";

/**
 * Refusals of a listener before any handler sees the request: not HTTP (400), too slow (408), a target (414)
 * or headers (431) that are too long, too many connections (503).
 */
export type TransportStatus = 400 | 408 | 414 | 431 | 503;

/** Header fields and body of a refusal. */
export interface TransportAnswer {
  headers: Record<string, string>;
  body: string;
}

/** How long a refused client may take to read the answer. */
const LINGER_MS = 1_000;

/** The status for an error of the HTTP parser, or null if the connection is gone. */
export function statusOfFault(
  error: Error & { code?: string; rawPacket?: Uint8Array },
): TransportStatus | null {
  switch (error.code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return 408;
    case "HPE_HEADER_OVERFLOW":
      return error.rawPacket !== undefined && isLongTarget(error.rawPacket) ? 414 : 431;
    case "ECONNRESET":
    case "EPIPE":
      return null;
    default:
      return 400;
  }
}

/** Whether a packet starts a request whose first line alone takes half of the room for headers. */
function isLongTarget(packet: Uint8Array): boolean {
  const begin = new TextDecoder("latin1").decode(packet.subarray(0, 8 * 1024));
  return /^[A-Z]+ /.test(begin) && !begin.includes("\n");
}

/** Answers on a bare socket and ends the connection, whether or not the client does. */
export function refuseOnSocket(socket: Socket, status: TransportStatus, answer: TransportAnswer): void {
  const fields = {
    ...answer.headers,
    "Content-Length": String(new TextEncoder().encode(answer.body).length),
    "Connection": "close",
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.on("error", () => {});
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${answer.body}`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}
