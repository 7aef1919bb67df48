import type { Context } from "hono";
import { requireRole } from "../contract/session/access.ts";
import { ApiError } from "../contract/request/errors.ts";
import { readIdempotencyKey, readIfMatch, refuseUnknownParameters } from "../contract/request/parts.ts";
import { operationIdOf, type Route } from "../contract/routes.ts";
import { currentRequest } from "../observe/request-scope.ts";
import type { Cookies } from "./cookies.ts";
import { checkCsrf } from "./csrf.ts";
import type { Refusals } from "./refusals.ts";
import type { Sessions, SignedIn } from "./session/sessions.ts";

export interface GuardOptions {
  publicUrl: string;
  sessions: Sessions;
  cookies: Cookies;
  refusals: Refusals;
}

/**
 * Admits a signed-in person's request to a route, or throws ApiError: session, origin, tenant, role, the
 * names of the query parameters, and the headers that a write needs. The core repeats all checks but the first two.
 */
export async function admit(
  c: Context,
  route: Route,
  options: GuardOptions,
  recentSessionWillDo = false,
): Promise<SignedIn> {
  const session = await options.sessions.find(options.cookies.session(c), recentSessionWillDo);
  if (session === null) throw new ApiError("unauthenticated");
  Object.assign(currentRequest() ?? {}, {
    sessionId: session.record.session_id,
    displayName: session.record.display_name,
  });
  try {
    await checkRights(c, route, session, options);
  } catch (error) {
    await options.refusals.ofPerson(operationIdOf(route), session, error, c.req.param());
    throw error;
  }
  refuseUnknownParameters(route.query, new URL(c.req.url).searchParams);
  if (route.write) readIdempotencyKey(c.req.header("idempotency-key"));
  if (route.revisioned) readIfMatch(c.req.header("if-match"));
  return session;
}

async function checkRights(
  c: Context,
  route: Route,
  session: SignedIn,
  options: GuardOptions,
): Promise<void> {
  if (route.method !== "GET") {
    await checkCsrf(c.req.raw.headers, options.publicUrl, session.record.csrf_token);
  }
  if (route.tenant) {
    if (session.selected === null) {
      throw new ApiError("forbidden", "Select a tenant first.", { reason: "no_tenant_selected" });
    }
    requireRole(session.selected.roles, route.role);
  }
}
