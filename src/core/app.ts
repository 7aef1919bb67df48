import { Hono } from "hono";
import { errorResponse } from "../contract/envelope.ts";
import { ApiError } from "../contract/errors.ts";
import { OPENAPI_PATH, openApiText } from "../contract/openapi.ts";
import { type Route, ROUTES } from "../contract/routes.ts";
import { addMethodGuards, routerPath } from "../contract/router.ts";
import type { Clock } from "../kit/clock.ts";
import { randomUuid } from "../kit/id.ts";
import type { Logger } from "../observe/log.ts";
import type { Database } from "../store/database.ts";
import { toApiError } from "./errors.ts";
import type { Handlers } from "./handler.ts";
import { type AnyHandler, type OperationOptions, serveOperation } from "./operation.ts";
import { addSessionRoutes } from "./sessions.ts";

export interface CoreAppOptions {
  db: Database;
  handlers: Handlers;
  /** What the web layer signs with. */
  serviceKey: Uint8Array | string;
  clock: Clock;
  logger: Logger;
  /** The tenants of this installation; a Set or a Map. */
  tenants: { has(tenantId: string): boolean };
}

/**
 * The core's side of the API: every operation of the route table that the core serves, the session routes of
 * the web layer, and the OpenAPI document. Only signed requests are answered, except for that document.
 */
export function createCoreApp(options: CoreAppOptions): Hono {
  const app = new Hono();
  const { db, serviceKey, clock, tenants, logger: log } = options;
  const shared: OperationOptions = { db, serviceKey, clock, tenants, log };

  for (const [id, route] of Object.entries(ROUTES) as [keyof Handlers, Route][]) {
    if (route.servedBy !== "core") continue;
    const handler = options.handlers[id] as AnyHandler;
    app.on(route.method, routerPath(route.path), async (c) => {
      const requestId = randomUuid();
      try {
        return await serveOperation(route, handler, c.req.raw, c.req.param(), requestId, shared);
      } catch (error) {
        return errorResponse(toApiError(error, requestId, log), requestId);
      }
    });
  }
  app.get(
    OPENAPI_PATH,
    (c) => c.body(openApiText(), 200, { "Content-Type": "application/json; charset=utf-8" }),
  );
  addSessionRoutes(app, shared);
  addMethodGuards(app);

  app.notFound(() => errorResponse(new ApiError("not_found"), randomUuid()));
  app.onError((error) => {
    const requestId = randomUuid();
    return errorResponse(toApiError(error, requestId, log), requestId);
  });
  return app;
}
