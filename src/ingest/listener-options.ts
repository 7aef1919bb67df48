import type { ServerOptions } from "node:http";

/**
 * Options of the `node:http` server for ingest, for what no handler sees; times in milliseconds. Connections
 * without a request head are closed; bodies have their own, shorter timeouts.
 */
export const LISTENER_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
} as const satisfies ServerOptions;
