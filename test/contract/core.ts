import type { Hono } from "hono";
import type { Role } from "../../src/contract/record/kinds.ts";
import { type OperationId, type Route, ROUTES } from "../../src/contract/routes.ts";
import type { Download } from "../../src/contract/request/envelope.ts";
import { signRequest, WEB_SERVICE } from "../../src/contract/request/signed-request.ts";
import { type CoreAppOptions, createCoreApp } from "../../src/core/app.ts";
import type { Answer, Handlers, ReadCall, RevisionedCall } from "../../src/core/handler.ts";
import { type Logger, silentLogger } from "../../src/observe/log.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { HandClock } from "./support.ts";

export const TEST_KEY = "0123456789abcdef0123456789abcdef";
/** 2026-01-31T07:15:00Z */
export const TEST_NOW = 1_769_843_700_000_000;

type AnyCall = ReadCall<unknown, unknown> & Partial<RevisionedCall<unknown, unknown>>;
export type AnyHandler = (call: AnyCall) => Promise<Answer>;

/** Handlers that echo what reached them, except the given ones. */
export function echoHandlers(own: Partial<Record<OperationId, AnyHandler>> = {}): Handlers {
  const handlers: Record<string, AnyHandler> = {};
  for (const [id, route] of Object.entries(ROUTES) as [OperationId, Route][]) {
    if (route.servedBy !== "core") continue;
    handlers[id] = own[id] ?? ((call) => {
      const { caller, params, query, body, ifMatch = null } = call;
      const data = { operation: id, caller, params, query, body, ifMatch };
      if (route.stream) return Promise.resolve({ data: { body: ReadableStream.from([echoEvent(data)]) } });
      return Promise.resolve({ data: route.download ? downloadOf(JSON.stringify(data)) : data });
    });
  }
  return handlers as Handlers;
}

function echoEvent(data: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`event: echo\ndata: ${JSON.stringify(data)}\n\n`);
}

function downloadOf(text: string): Download {
  const bytes = new TextEncoder().encode(text);
  return { fileName: "echo.json", body: ReadableStream.from([bytes]), bytes: bytes.length };
}

export interface Sent {
  method?: string;
  target: string;
  body?: unknown;
  headers?: Record<string, string>;
  tenantId?: string | null;
  subject?: string;
  roles?: Role[];
  nonce?: string;
}

export interface TestCore {
  app: Hono;
  clock: HandClock;
  /** Signs a request as the web layer does, and sends it. */
  send(request: Sent): Promise<Response>;
}

/** A core on a database, and a signer that it trusts. */
export function coreOn(
  db: Database,
  options: {
    key?: string;
    now?: number;
    handlers?: Handlers;
    clock?: HandClock;
    logger?: Logger;
    metrics?: CoreAppOptions["metrics"];
    webReported?: CoreAppOptions["webReported"];
    capacity?: CoreAppOptions["capacity"];
  } = {},
): TestCore {
  const key = options.key ?? TEST_KEY;
  const clock = options.clock ?? new HandClock(options.now ?? TEST_NOW);
  const app = createCoreApp({
    db,
    handlers: options.handlers ?? echoHandlers(),
    serviceKey: key,
    clock,
    logger: options.logger ?? silentLogger,
    tenants: new Set(["main", "branch"]),
    metrics: options.metrics,
    webReported: options.webReported,
    capacity: options.capacity,
  });
  return { app, clock, send: (request) => send(app, key, clock, request) };
}

async function send(app: Hono, key: string, clock: HandClock, request: Sent): Promise<Response> {
  const url = new URL(request.target, "http://127.0.0.1:8081");
  const method = request.method ?? "GET";
  const text = request.body === undefined || typeof request.body === "string"
    ? request.body
    : JSON.stringify(request.body);
  const body = new TextEncoder().encode(text ?? "");
  const signed = await signRequest(key, { method, pathname: url.pathname, search: url.search, body }, {
    service: WEB_SERVICE,
    tenantId: request.tenantId === undefined ? "main" : request.tenantId,
    subject: request.subject ?? "ada",
    roles: request.roles ?? ["analyst"],
    issuedAt: clock.now(),
    expiresAt: clock.now() + 60_000_000,
    nonce: request.nonce ?? crypto.randomUUID(),
  });
  return await app.request(url, {
    method,
    headers: {
      ...(text === undefined ? {} : { "content-type": "application/json" }),
      ...request.headers,
      ...signed,
    },
    body: text === undefined ? undefined : body,
  });
}
