import { type Context, Hono } from "hono";
import { errorResponse } from "../contract/envelope.ts";
import { ApiError } from "../contract/errors.ts";
import { OPENAPI_PATH, openApiText } from "../contract/openapi.ts";
import { addMethodGuards, routerPath } from "../contract/router.ts";
import { type Route, ROUTES } from "../contract/routes.ts";
import { randomUuid } from "../kit/id.ts";
import { addAuthRoutes } from "./auth.ts";
import { Cookies } from "./cookies.ts";
import { CoreClient } from "./core-client.ts";
import { toApiError } from "./errors.ts";
import { OidcClient } from "./oidc.ts";
import type { WebAppOptions } from "./options.ts";
import { PendingSignIns } from "./pending-sign-in.ts";
import { proxy } from "./proxy.ts";
import { securityHeaders } from "./security-headers.ts";
import { getSession, selectTenant } from "./session-routes.ts";
import { Sessions } from "./sessions.ts";
import { StaticFiles } from "./static.ts";

export type { WebAppOptions } from "./options.ts";

/** Paths that are never the dashboard's. */
const RESERVED = /^\/(api|auth|internal|metrics)(\/|$)/;

/**
 * The service as browsers see it: sign-in, the API (each request checked here, then signed and sent to the
 * core), and the dashboard's files. Throws a TypeError where `publicUrl` is no origin.
 */
export function createWebApp(options: WebAppOptions): Hono {
  const publicUrl = new URL(options.publicUrl).origin;
  if (publicUrl === "null") throw new TypeError(`public URL: expected an origin, got ${options.publicUrl}`);
  const { clock, logger: log, tenants, serviceKey } = options;
  const core = new CoreClient({ coreUrl: options.coreUrl, serviceKey, clock });
  const sessions = new Sessions({ core, clock, tenants, access: options.access });
  const cookies = new Cookies(publicUrl);
  const oidc = new OidcClient({ ...options.oidc, redirectUri: `${publicUrl}/auth/callback`, logger: log });
  const files = new StaticFiles(options.staticDir);
  const shared = { publicUrl, core, sessions, cookies, clock, tenants };

  const app = new Hono();
  app.use(securityHeaders(publicUrl));

  const api = (serve: (c: Context, requestId: string) => Promise<Response>) => async (c: Context) => {
    const requestId = randomUuid();
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
  addAuthRoutes(app, {
    publicUrl,
    oidc,
    sessions,
    cookies,
    log,
    pending: new PendingSignIns(serviceKey, clock),
  });
  addMethodGuards(app);

  app.get("*", async (c, next) => {
    const response = RESERVED.test(c.req.path) ? null : await files.serve(c);
    return response ?? await next();
  });
  app.notFound(() => errorResponse(new ApiError("not_found"), randomUuid()));
  app.onError((error) => {
    const requestId = randomUuid();
    return errorResponse(toApiError(error, requestId, log), requestId);
  });
  return app;
}
