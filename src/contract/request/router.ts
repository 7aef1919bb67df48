import type { Context, Hono } from "hono";
import { matchedRoutes } from "hono/route";
import { randomUuid } from "../../kit/id.ts";
import { errorResponse } from "./envelope.ts";
import { ApiError } from "./errors.ts";

/** Converts `/api/v1/devices/{device_id}` to the router's notation. */
export function routerPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** The operation of a request without path parameters: `GET /api/v1/devices/{device_id}`. */
export function operationName(c: Context): string {
  const route = matchedRoutes(c).find(({ path }) => path !== "*" && path !== "/*");
  return `${c.req.method} ${route?.path.replaceAll(/:(\w+)/g, "{$1}") ?? "*"}`;
}

/** Answers 405 with `Allow` for the other methods of all paths routed so far. */
export function addMethodGuards(app: Hono, requestId: () => string = randomUuid): void {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of app.routes) {
    if (method === "ALL") continue;
    const known = methods.get(path) ?? new Set();
    methods.set(path, known.add(method));
  }
  for (const [path, known] of methods) {
    if (known.has("GET")) known.add("HEAD");
    const allow = [...known].sort().join(", ");
    app.all(path, () => {
      const response = errorResponse(
        new ApiError(
          "invalid_request",
          `This route allows only ${allow}.`,
          { reason: "method", allow: [...known].sort() },
          405,
        ),
        requestId(),
      );
      response.headers.set("Allow", allow);
      return response;
    });
  }
}
