import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { isLoopbackIp, parseIp } from "./ip.ts";

export interface ListenOptions {
  /** A loopback address or `localhost`. */
  hostname: string;
  /** 0 takes any free port. */
  port: number;
  /** How long a client may take to send its headers; default 10 s. */
  headersTimeoutMs?: number;
  /** How long a client may take to send the whole request; default 30 s. */
  requestTimeoutMs?: number;
  /** How long an idle connection is kept; default 60 s. */
  keepAliveTimeoutMs?: number;
  /** How long `close` lets open requests finish; default 5 s. */
  closeTimeoutMs?: number;
  /** Looks at each request first; true when it answers it itself, from the stream. */
  before?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface Listener {
  /** `http://127.0.0.1:8080`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, lets open requests finish for a while, then cuts what is left. */
  close(): Promise<void>;
}

/**
 * Serves a fetch handler on a loopback address, through `node:http` because `Deno.serve` lets silent and slow
 * connections stay for ever. Throws where the address is not a loopback one (the outside world comes through a
 * proxy) and where it cannot be bound.
 */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  options: ListenOptions,
): Promise<Listener> {
  const hostname = loopbackAddress(options.hostname);
  const headersTimeout = options.headersTimeoutMs ?? 10_000;
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
  const server = createServer({
    headersTimeout,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 60_000,
    // The timeouts are only looked at this often.
    connectionsCheckingInterval: Math.min(2_000, headersTimeout),
  }, (request, response) => {
    if (!options.before?.(request, response)) void listener(request, response);
  });

  await bind(server, hostname, options.port);
  const port = (server.address() as AddressInfo).port;
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${host}:${port}`,
    port,
    close: () => closeServer(server, options.closeTimeoutMs ?? 5_000),
  };
}

/** The address to bind for a configured host name; throws where it is not on the loopback interface. */
export function loopbackAddress(hostname: string): string {
  // Taken as the address itself: what a resolver makes of the name is not under our control.
  if (hostname === "localhost") return "127.0.0.1";
  const text = hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
  const ip = parseIp(text);
  if (ip === null || !isLoopbackIp(ip)) {
    throw new Error(
      `refusing to listen on ${hostname}: expected a loopback address (127.0.0.0/8, ::1 or localhost); ` +
        "put a reverse proxy in front to reach it from elsewhere",
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
