import { type Context, Hono } from "hono";
import { errorResponse } from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import { OPENAPI_PATH, openApiText } from "../contract/openapi.ts";
import { looksSigned } from "../contract/request/signed-request.ts";
import { MAX_BODY_BYTES } from "../contract/request/parts.ts";
import { limitConcurrency } from "../contract/request/capacity.ts";
import { addMethodGuards, routerPath } from "../contract/request/router.ts";
import { Capacity } from "../kit/net/capacity.ts";
import type { Clock } from "../kit/clock.ts";
import { peerOf } from "../kit/net/listen.ts";
import type { Logger } from "../observe/log.ts";
import { requestScope } from "../observe/request-middleware.ts";
import { currentRequestId } from "../observe/request-scope.ts";
import type { Database } from "../store/engine/database.ts";
import { toApiError } from "./api-error.ts";
import type { WebReport } from "../contract/session/service-session.ts";
import { AuditBudget } from "./audit-budget.ts";
import { addExecutorRoutes } from "./executor-routes.ts";
import { Executors } from "./executors.ts";
import type { Handlers } from "./handler.ts";
import { addMetricsRoute, type MetricsSource } from "./metrics-source.ts";
import { coreOperations, type OperationOptions, serveOperation } from "./operation.ts";
import { addSessionRoutes } from "./session-routes.ts";

/** Most concurrent requests of each pool, so that one kind of client cannot keep the others out. */
interface CoreCapacity {
  /** Signed reads. The web layer is their only client and admits as many in total. */
  reads: number;
  /** Signed requests with a body. Whether the signature is valid shows only after the body. */
  bodies: number;
  /** Requests without valid claims: those that are refused, executor reports, the OpenAPI document. */
  unsigned: number;
}

const CAPACITY: CoreCapacity = { reads: 512, bodies: 256, unsigned: 32 };

export interface CoreAppOptions {
  db: Database;
  handlers: Handlers;
  /** The key with which the web layer signs requests. */
  serviceKey: Uint8Array | string;
  clock: Clock;
  logger: Logger;
  /** The tenants of this installation; a Set or a Map. */
  tenants: { has(tenantId: string): boolean };
  /** Executors that may report outcomes of response actions; default: none. */
  executors?: Executors;
  /** Source of the web layer's `/metrics`; without it the core has no metrics route. */
  metrics?: Pick<MetricsSource, "snapshot">;
  /** Takes the web layer's reports about itself. */
  webReported?: (report: WebReport, now: number) => void;
  capacity?: CoreCapacity;
}

/**
 * The core's HTTP application: the operations of the route table that the core serves, the web layer's
 * session and metrics routes, executor reports and the OpenAPI document. Requests must be signed, except
 * executor reports, which carry a token, and the document.
 */
export function createCoreApp(options: CoreAppOptions): Hono {
  const app = new Hono();
  const { db, serviceKey, clock, tenants, logger: log } = options;
  // The scope starts with the peer's address; a verified signature replaces it with the browser's request.
  const addressOf = (c: Context) => peerOf(c.env)?.address ?? null;
  app.use(requestScope({ tracer: "ndr.core", addressOf, continued: true }));
  app.use(limitConcurrency(capacityChooser(options.capacity ?? CAPACITY, clock), currentRequestId));
  const refusals = new AuditBudget("refusals", clock, log);
  const shared: OperationOptions = { db, serviceKey, clock, tenants, log, refusals };

  for (const operation of coreOperations(options.handlers)) {
    const { method, path } = operation.route;
    app.on(method, routerPath(path), async (c) => {
      try {
        return await serveOperation(operation, c.req.raw, c.req.param(), shared);
      } catch (error) {
        const requestId = currentRequestId();
        return errorResponse(toApiError(error, requestId, log), requestId);
      }
    });
  }
  app.get(
    OPENAPI_PATH,
    (c) => c.body(openApiText(), 200, { "Content-Type": "application/json; charset=utf-8" }),
  );
  addSessionRoutes(app, { ...shared, webReported: options.webReported });
  if (options.metrics) addMetricsRoute(app, { ...shared, metrics: options.metrics });
  addExecutorRoutes(app, { db, clock, log, executors: options.executors ?? new Executors([]) });
  addMethodGuards(app, currentRequestId);

  app.notFound(() =>
    errorResponse(
      new ApiError("not_found", "This route does not exist.", { reason: "no_such_route" }),
      currentRequestId(),
    )
  );
  app.onError((error) => {
    const requestId = currentRequestId();
    return errorResponse(toApiError(error, requestId, log), requestId);
  });
  return app;
}

function capacityChooser({ reads, bodies, unsigned }: CoreCapacity, clock: Clock): (c: Context) => Capacity {
  const poolOf = (requests: number) => new Capacity(requests, requests * MAX_BODY_BYTES);
  const pools = { reads: poolOf(reads), bodies: poolOf(bodies), unsigned: poolOf(unsigned) };
  return ({ req }) => {
    const { method, headers, url } = req.raw;
    const signable = { method, pathname: new URL(url).pathname };
    if (!looksSigned(signable, (name) => headers.get(name), clock.now())) return pools.unsigned;
    return method === "GET" || method === "HEAD" ? pools.reads : pools.bodies;
  };
}
