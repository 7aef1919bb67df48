import type { ServerOptions } from "node:http";

/**
 * For the `node:http` server that carries the ingest: what happens before and between requests, which no handler
 * sees. Milliseconds. A connection that sends no request head is closed; bodies have their own, shorter times.
 */
export const LISTENER_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
} as const satisfies ServerOptions;
