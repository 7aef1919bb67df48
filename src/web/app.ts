import { type Context, Hono } from "hono";
import { errorResponse } from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import { limitConcurrency } from "../contract/request/capacity.ts";
import { Capacity } from "../kit/net/capacity.ts";
import { OPENAPI_PATH, openApiText } from "../contract/openapi.ts";
import { addMethodGuards, routerPath } from "../contract/request/router.ts";
import { type Route, ROUTES } from "../contract/routes.ts";
import { SESSION_LIFETIME } from "../contract/session/service-session.ts";
import { requestScope } from "../observe/request-middleware.ts";
import { currentRequestId } from "../observe/request-scope.ts";
import { addAuthRoutes } from "./session/auth.ts";
import { clientAddress } from "./client-address.ts";
import { Cookies } from "./cookies.ts";
import { CoreClient } from "./core-client.ts";
import { toApiError } from "./errors.ts";
import { DEFAULT_RATES, rateLimits, webLimits } from "./limits.ts";
import { addMetricsRoute, MetricsPage } from "./metrics.ts";
import { OidcClient, ProviderState } from "./session/oidc.ts";
import type { WebAppOptions } from "./options.ts";
import { addBackchannelLogout } from "./session/backchannel-logout.ts";
import { PENDING_LIFETIME, PendingSignIn } from "./session/pending-sign-in.ts";
import { ProviderClaims } from "./session/provider-claims.ts";
import { Sealed } from "./session/sealed.ts";
import { proxy } from "./proxy.ts";
import { Refusals } from "./refusals.ts";
import { securityHeaders } from "./security-headers.ts";
import { getSession, selectTenant } from "./session/session-routes.ts";
import { Sessions } from "./session/sessions.ts";
import { StaticFiles } from "./static.ts";

export type { WebAppOptions } from "./options.ts";

/** The API's document for people. Public like the document itself: it reveals nothing about an installation. */
const DOCS_PATH = "/api/docs";
/** Paths that never belong to the dashboard, in any case: `/API/v1` is a mistyped API path. */
const RESERVED = /^\/(api|auth|internal|metrics)(\/|$)/i;

/**
 * The service as browsers see it: sign-in, the API (each request is checked here, then signed and sent to the
 * core), and the dashboard's files. Throws a TypeError if `publicUrl` is not an origin.
 */
export function createWebApp(options: WebAppOptions): Hono {
  const publicUrl = new URL(options.publicUrl).origin;
  if (publicUrl === "null") throw new TypeError(`public URL: expected an origin, got ${options.publicUrl}`);
  const { clock, logger: log, tenants, serviceKey, claimsPatienceMs } = options;
  const core = new CoreClient({
    coreUrl: options.coreUrl,
    serviceKey,
    clock,
    timeouts: options.coreTimeouts,
  });
  const cookies = new Cookies(publicUrl);
  const oidc = new OidcClient({
    ...options.oidc,
    redirectUri: `${publicUrl}/auth/callback`,
    clock,
    logger: log,
  });
  const providerClaims = new ProviderClaims({
    oidc,
    log,
    sealed: new Sealed({
      serviceKey,
      purpose: "ndr provider state v1",
      schema: ProviderState,
      lifetime: SESSION_LIFETIME / 1e6,
      clock,
    }),
  });
  const sessions = new Sessions({
    core,
    clock,
    tenants,
    log,
    access: options.access,
    providerClaims,
    claimsPatienceMs,
  });
  const files = new StaticFiles(options.staticDir);
  const refusals = new Refusals({ core, log });
  const { sessionCheckMs } = options;
  const shared = { publicUrl, core, sessions, cookies, refusals, clock, tenants, sessionCheckMs };
  const metrics = options.metrics && new MetricsPage({ ...options.metrics, core, clock, log, tenants });

  const app = new Hono();
  // A public https address belongs to a proxy; plain http is this machine's own, and then no other address
  // is accepted.
  const proxied = publicUrl.startsWith("https:");
  const limits = options.limits ?? webLimits(DEFAULT_RATES);
  const addressOf = (c: Context) => clientAddress(c, proxied);
  app.use(requestScope({ tracer: "ndr.web", addressOf, continued: false }));
  app.use(securityHeaders(publicUrl));
  const exempt = async (c: Context) => await metrics?.admits(c) ?? false;
  app.use(rateLimits({ limits, proxied, cookies, clock, log, exempt }));
  const capacity = new Capacity(limits.requests, limits.bodyBytes);
  app.use(limitConcurrency(() => capacity, currentRequestId));

  const api = (serve: (c: Context, requestId: string) => Promise<Response>) => async (c: Context) => {
    const requestId = currentRequestId();
    try {
      return await serve(c, requestId);
    } catch (error) {
      return errorResponse(toApiError(error, requestId, log), requestId);
    }
  };
  app.get(ROUTES.getSession.path, api((c, requestId) => getSession(c, requestId, shared)));
  app.post(ROUTES.selectTenant.path, api((c, requestId) => selectTenant(c, requestId, shared)));
  for (const route of Object.values(ROUTES) as Route[]) {
    if (route.servedBy !== "core") continue;
    app.on(route.method, routerPath(route.path), api((c) => proxy(c, route, shared)));
  }
  app.get(
    OPENAPI_PATH,
    (c) => c.body(openApiText(), 200, { "Content-Type": "application/json; charset=utf-8" }),
  );
  app.get(DOCS_PATH, async (c, next) => await files.page(c, "/api-docs.html") ?? await next());
  if (metrics) addMetricsRoute(app, metrics);
  addAuthRoutes(app, {
    publicUrl,
    oidc,
    sessions,
    cookies,
    refusals,
    log,
    providerClaims,
    pending: new Sealed({
      serviceKey,
      purpose: "ndr pending sign-in v1",
      schema: PendingSignIn,
      lifetime: PENDING_LIFETIME,
      clock,
    }),
  });
  addBackchannelLogout(app, { oidc, sessions, log });
  addMethodGuards(app, currentRequestId);

  app.get("*", async (c, next) => {
    const response = RESERVED.test(c.req.path) ? null : await files.serve(c);
    return response ?? await next();
  });
  app.notFound(() =>
    errorResponse(
      new ApiError("not_found", "There is no such route.", { reason: "no_such_route" }),
      currentRequestId(),
    )
  );
  app.onError((error) => {
    const requestId = currentRequestId();
    return errorResponse(toApiError(error, requestId, log), requestId);
  });
  return app;
}
