import type { Context } from "hono";
import { requireRole } from "../contract/access.ts";
import { ApiError } from "../contract/errors.ts";
import { readIdempotencyKey, readIfMatch } from "../contract/request-parts.ts";
import type { Route } from "../contract/routes.ts";
import type { Cookies } from "./cookies.ts";
import { checkCsrf } from "./csrf.ts";
import type { Sessions, SignedIn } from "./sessions.ts";

export interface GuardOptions {
  publicUrl: string;
  sessions: Sessions;
  cookies: Cookies;
}

/**
 * Lets a request of a signed-in person through to a route, or throws ApiError: session, origin, tenant, role, and
 * the form of the headers that a write needs. The core checks all but the first two again.
 */
export async function admit(
  c: Context,
  route: Route,
  options: GuardOptions,
  recentSessionWillDo = false,
): Promise<SignedIn> {
  const session = await options.sessions.find(options.cookies.session(c), recentSessionWillDo);
  if (session === null) throw new ApiError("unauthenticated");
  if (route.method !== "GET") {
    checkCsrf(c.req.raw.headers, options.publicUrl, session.record.csrf_token);
  }
  if (route.tenant) {
    if (session.selected === null) {
      throw new ApiError("forbidden", "Select a tenant first.", { reason: "no_tenant_selected" });
    }
    requireRole(session.selected.roles, route.role);
  }
  if (route.write) readIdempotencyKey(c.req.header("idempotency-key"));
  if (route.revisioned) readIfMatch(c.req.header("if-match"));
  return session;
}
