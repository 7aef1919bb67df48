import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { closingResponse, isUnread } from "./unread-body.ts";
import { Connections } from "./connections.ts";
import { isLoopbackIp, parseIp } from "./ip.ts";
import {
  refuseOnSocket,
  statusOfFault,
  type TransportAnswer,
  type TransportStatus,
} from "./transport-fault.ts";

/** Bytes of a request's target, path and query together. */
export const MAX_TARGET_LENGTH = 8 * 1024;
/** Bytes of a request's first line and header fields together. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** The connection that a request came on. */
export interface Peer {
  /** Address of the peer; null if it is gone already. */
  address: string | null;
  /** Calls back once, when the answer is sent or the connection is gone. */
  onEnd(callback: () => void): void;
}

export interface ListenOptions {
  /** A loopback address or `localhost`. */
  hostname: string;
  /** 0 selects a free port. */
  port: number;
  /** How long a client may take to send its headers; default 10 s. */
  headersTimeoutMs?: number;
  /** How long a client may take to send the whole request; default 30 s. */
  requestTimeoutMs?: number;
  /** How long an idle connection is kept; default 60 s. */
  keepAliveTimeoutMs?: number;
  /** How long a client may leave an answer unread; default 30 s. */
  stallTimeoutMs?: number;
  /** Most open connections; default 1024. A further one replaces the one that has been idle longest. */
  maxConnections?: number;
  /** The body of a refusal by the listener itself; default only its status. */
  refusal?: (status: TransportStatus) => TransportAnswer;
  /** How long `close` waits for open requests; default 5 s. */
  closeTimeoutMs?: number;
  /** Sees each request first; returns true if it answers it itself, from the stream. */
  before?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface Listener {
  /** `http://127.0.0.1:8080`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Accepts no more connections, waits for open requests up to its limit, then cuts the rest. */
  close(): Promise<void>;
}

/**
 * Serves a fetch handler on a loopback address, through `node:http` because `Deno.serve` keeps silent and
 * slow connections open forever. Throws if the address is not a loopback one (others connect through a proxy)
 * or cannot be bound.
 */
export async function listen(
  fetch: (request: Request, peer: Peer) => Response | Promise<Response>,
  options: ListenOptions,
): Promise<Listener> {
  const hostname = loopbackAddress(options.hostname);
  const headersTimeout = options.headersTimeoutMs ?? 10_000;
  const refusal = options.refusal ?? (() => ({ headers: {}, body: "" }));
  const connections = new Connections({
    max: options.maxConnections ?? 1024,
    stallMs: options.stallTimeoutMs ?? 30_000,
  });
  const listener = getRequestListener(
    async (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      const response = await fetch(request, makePeer(incoming, env.outgoing as ServerResponse));
      return response.status >= 400 && isUnread(incoming)
        ? await closingResponse(response, request.body)
        : response;
    },
    {
      overrideGlobalObjects: false,
      // Requests that reach no handler: a host or target that cannot be part of a URL.
      errorHandler: (error) => {
        if (!(error instanceof RequestError)) return new Response(null, { status: 500 });
        const { headers, body } = refusal(400);
        return new Response(body, { status: 400, headers: { ...headers, "Connection": "close" } });
      },
    },
  );
  const server = createServer({
    headersTimeout,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 60_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The timeouts are only checked this often.
    connectionsCheckingInterval: Math.min(2_000, headersTimeout),
    // Node's refusal would have no body; ours is below.
    requireHostHeader: false,
  }, (request, response) => {
    connections.begin(response);
    if (!hasOneHost(request)) return refuse(response, 400, refusal(400));
    if ((request.url ?? "").length > MAX_TARGET_LENGTH) return refuse(response, 414, refusal(414));
    if (!options.before?.(request, response)) void listener(request, response);
  });
  server.on("connection", (socket: Socket) => {
    if (!connections.add(socket)) refuseOnSocket(socket, 503, refusal(503));
  });
  server.on("clientError", (error: Error, socket: Socket) => {
    const status = statusOfFault(error);
    if (status === null || !socket.writable || connections.hasBegunAnswer(socket)) socket.destroy();
    else refuseOnSocket(socket, status, refusal(status));
  });

  await bind(server, hostname, options.port);
  const port = (server.address() as AddressInfo).port;
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${host}:${port}`,
    port,
    close: async () => {
      await closeServer(server, options.closeTimeoutMs ?? 5_000);
      connections.stop();
    },
  };
}

/** The connection that a handler was given beside the request, if any. */
export function peerOf(given: unknown): Peer | null {
  return typeof given === "object" && given !== null && "address" in given && "onEnd" in given
    ? given as Peer
    : null;
}

/** HTTP/1.1 requires exactly one; with two, a proxy in front may have used the other one. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() === "host") hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

function makePeer(incoming: IncomingMessage, outgoing: ServerResponse): Peer {
  return {
    address: incoming.socket.remoteAddress ?? null,
    onEnd: (callback) => {
      if (outgoing.closed || outgoing.destroyed) callback();
      else outgoing.once("close", callback);
    },
  };
}

function refuse(response: ServerResponse, status: TransportStatus, { headers, body }: TransportAnswer): void {
  const length = new TextEncoder().encode(body).length;
  response.writeHead(status, { ...headers, "Content-Length": length, "Connection": "close" });
  response.end(body);
}

/** The address to bind for a configured host name; throws if it is not a loopback one. */
export function loopbackAddress(hostname: string): string {
  // Not resolved: a resolver's answer for the name is not under our control.
  if (hostname === "localhost") return "127.0.0.1";
  const text = hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
  const ip = parseIp(text);
  if (ip === null || !isLoopbackIp(ip)) {
    throw new Error(
      `refusing to listen on ${hostname}: expected a loopback address (127.0.0.0/8, ::1 or localhost); ` +
        "put a reverse proxy in front to reach it from other hosts",
    );
  }
  return text;
}

function bind(server: Server, hostname: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function closeServer(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
