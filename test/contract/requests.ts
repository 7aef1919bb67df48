import type { Route } from "../../src/contract/routes.ts";

const BODIES: Record<string, unknown> = {
  "/api/v1/devices/{device_id}": { display_name: "Printer" },
  "/api/v1/incidents/{incident_id}": { status: "investigating" },
  "/api/v1/session/tenant": { tenant_id: "main" },
};

/** A request that a route accepts, but for the credentials. */
export function aRequestFor(route: Route) {
  const body = route.body ? BODIES[route.path] : undefined;
  if (route.body && body === undefined) throw new Error(`say in requests.ts what ${route.path} takes`);
  const headers: Record<string, string> = {};
  if (route.write) headers["idempotency-key"] = crypto.randomUUID();
  if (route.revisioned) headers["if-match"] = '"1"';
  return {
    method: route.method,
    target: route.path.replaceAll(/\{\w+\}/g, "0190b2c3-0000-7000-8000-000000000001"),
    body,
    headers,
  };
}
