import type { Context } from "hono";
import { ApiError } from "../contract/request/errors.ts";
import { readBodyOf } from "../contract/request/capacity.ts";
import { type Route, ROUTES } from "../contract/routes.ts";
import type { CoreClient } from "./core-client.ts";
import { admit, type GuardOptions } from "./guard.ts";

/**
 * What of a browser's request reaches the core. A list of what may pass, not of what may not: no spelling of a
 * claims header gets through, nor a cookie or a forwarding header.
 */
const REQUEST_HEADERS = ["content-type", "idempotency-key", "if-match", "last-event-id"];
const RESPONSE_HEADERS = ["content-type", "etag", "retry-after"];

interface ProxyOptions extends GuardOptions {
  core: CoreClient;
}

/** Passes one admitted request on to the core, signed for the session's person and tenant. */
export async function proxy(c: Context, route: Route, options: ProxyOptions): Promise<Response> {
  const session = await admit(c, route, options, route === ROUTES.getHealth);
  const body = await readBodyOf(c);

  const headers: Record<string, string> = {};
  for (const name of REQUEST_HEADERS) {
    const value = c.req.header(name);
    if (value !== undefined) headers[name] = value;
  }
  const response = await options.core.send({
    method: c.req.method,
    target: corePath(route, c.req.param()) + new URL(c.req.url).search,
    body,
    headers,
    signedFor: {
      tenantId: session.selected!.tenant_id,
      subject: session.record.subject,
      roles: session.selected!.roles,
    },
    signal: c.req.raw.signal,
  });
  if (response.status === 401) {
    // The person is signed in; it is us whom the core does not believe (another key, a wrong clock).
    await response.body?.cancel();
    throw new Error(
      "the core refused a signed request: do both processes use one service key and one clock?",
    );
  }
  const passed = new Response(response.body, { status: response.status });
  for (const name of RESPONSE_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) passed.headers.set(name, value);
  }
  return passed;
}

/**
 * The route's path with its parameters put in again. What a URL would read as another path (a parameter of `..`)
 * names nothing: the role was checked for this route, not for that one.
 */
function corePath(route: Route, params: Record<string, string>): string {
  const path = route.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => encodeURIComponent(params[name] ?? ""),
  );
  if (new URL(path, "http://core.invalid").pathname !== path) throw new ApiError("not_found");
  return path;
}
