import { OpenAPIHono, z } from "@hono/zod-openapi";
import { ErrorBody } from "./error-body.ts";
import { type Route, ROUTES } from "./routes.ts";

export const OPENAPI_PATH = "/api/v1/openapi.json";

let text: string | undefined;

/** The OpenAPI 3.1 document of the API as JSON text, made from the route table when it is first asked for. */
export function openApiText(): string {
  text ??= JSON.stringify(buildOpenApi(), nullableReference);
  return text;
}

const DESCRIPTION = `Network detection and response, one API for the dashboard and for integrations.

Sign in at \`/auth/login\` (OpenID Connect); the session cookie then authenticates every request. Every write
carries the session's \`csrf_token\` (from \`GET /api/v1/session\`) as \`X-CSRF-Token\`, and an \`Idempotency-Key\` of
your choice: sending the same request with the same key again within 24 hours returns the first answer and does
nothing, another request with that key is refused (422), and while the first one is still being answered the
second gets 409 with \`Retry-After\`. Refusals (4xx) are remembered like successes; 429 and 5xx are not.

A write on an object that has a \`revision\` also carries \`If-Match: "<revision>"\`, exactly one quoted number.

The tenant and the roles come from the session. Any role may read; for a write see its description.
Times are RFC 3339 in UTC with milliseconds, windows are half-open and default to the last 15 minutes, and
counters are integers that may exceed 2^53. Fields may be added to answers; ignore those you do not know.`;

function buildOpenApi(): unknown {
  const builder = new OpenAPIHono();
  const registry = builder.openAPIRegistry;
  const session = registry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "__Host-ndr-session",
    description: "Set by /auth/login. Named `ndr-session` where the service runs on plain http on loopback.",
  });
  const csrf = registry.registerComponent("securitySchemes", "csrf", {
    type: "apiKey",
    in: "header",
    name: "X-CSRF-Token",
    description: "`csrf_token` of the session; needed by every method but GET.",
  });

  for (const [operationId, route] of Object.entries(ROUTES) as [string, Route][]) {
    const security = route.method === "GET"
      ? [{ [session.name]: [] }]
      : [{ [session.name]: [], [csrf.name]: [] }];
    registry.registerPath({
      method: route.method.toLowerCase() as "get" | "post" | "patch",
      path: route.path,
      operationId,
      summary: route.summary,
      description: `Role: \`${route.role}\`${route.role === "reader" ? " (any role)" : ""}.` +
        (route.tenant ? " Needs a selected tenant." : ""),
      tags: [route.tag],
      security,
      request: {
        params: pathParameters(route),
        query: route.query,
        headers: headerParameters(route),
        body: route.body
          ? { required: true, content: { "application/json": { schema: route.body } } }
          : undefined,
      },
      responses: responses(route),
    });
  }
  return builder.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "NDR appliance API",
      version: "1",
      description: DESCRIPTION,
      license: { name: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
  });
}

/**
 * The generator writes an object that may be null as both that object and null at once, which nothing can be;
 * as `JSON.stringify`'s replacer this makes it the one or the other.
 */
function nullableReference(_key: string, value: unknown): unknown {
  const parts = (value as { allOf?: Record<string, unknown>[] } | null)?.allOf;
  const isNullable = parts?.length === 2 && parts[0]!.$ref !== undefined &&
    Object.keys(parts[1]!).length === 1 && Array.isArray(parts[1]!.type) && parts[1]!.type.includes("null");
  return isNullable ? { anyOf: [parts[0], { type: "null" }] } : value;
}

function pathParameters(route: Route): z.ZodObject | undefined {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  if (names.length === 0) return undefined;
  return z.object(Object.fromEntries(names.map((name) => [name, z.string().min(1).max(128)])));
}

function headerParameters(route: Route): z.ZodObject | undefined {
  const headers: Record<string, z.ZodType> = {};
  if (route.write) {
    headers["Idempotency-Key"] = z.string().regex(/^[\x21-\x7e]{1,128}$/).openapi({
      description:
        "Bound to tenant, person, method, path, query and body; the answer is replayed for 24 hours.",
      example: "5f0c2e1a-9d3b-4c55-8a53-0e6a0a6c2d10",
    });
  }
  if (route.revisioned) {
    headers["If-Match"] = z.string().regex(/^"[1-9][0-9]*"$/).openapi({
      description: "The revision this change was made from, quoted.",
      example: '"3"',
    });
  }
  return Object.keys(headers).length > 0 ? z.object(headers) : undefined;
}

const REVISION_HEADER = {
  ETag: { description: "The object's revision, quoted.", schema: { type: "string", example: '"3"' } },
} as const;
const RETRY_HEADER = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } },
} as const;

function responses(route: Route) {
  const success = { "application/json": { schema: route.response } };
  const failure = { "application/json": { schema: ErrorBody } };
  const all: Record<string, ReturnType<typeof answer>> = {
    [route.status]: answer("Success.", success, hasRevision(route) ? REVISION_HEADER : undefined),
    401: answer("`unauthenticated`: no session, or it has ended.", failure),
    403: answer("`forbidden`: the role, the tenant or the CSRF token.", failure),
    500: answer("`internal_error`.", failure),
  };
  if (route.query || route.body) all[400] = answer("`invalid_request` or `invalid_time_range`.", failure);
  if (route.path.includes("{")) all[404] = answer("`not_found`, also for another tenant's object.", failure);
  if (route.query && "cursor" in route.query.shape) {
    all[410] = answer("`cursor_expired`: start again without the cursor.", failure);
  }
  if (route.write) {
    all[400] = answer("`invalid_request`.", failure);
    all[409] = answer(
      "The first request with this Idempotency-Key is still being answered.",
      failure,
      RETRY_HEADER,
    );
    all[413] = answer("`payload_too_large`.", failure);
    all[422] = answer("This Idempotency-Key was used for another request.", failure);
  }
  if (route.revisioned) {
    all[412] = answer("`revision_conflict`: the object has another revision now.", failure);
    all[428] = answer("`If-Match` is missing.", failure);
  }
  for (const status of route.alsoStatus ?? []) {
    all[status] = answer("The same body under another status.", success);
  }
  all[503] ??= answer("`source_unavailable`.", failure, RETRY_HEADER);
  return all;
}

/** Whoever shows one revisioned object says its revision in `ETag`. */
function hasRevision(route: Route): boolean {
  return route.tagged === true ||
    (Object.values(ROUTES) as Route[]).some((other) => other.revisioned && other.path === route.path);
}

function answer(
  description: string,
  content: { "application/json": { schema: z.ZodType } },
  headers?: typeof REVISION_HEADER | typeof RETRY_HEADER,
) {
  return { description, content, ...(headers ? { headers } : {}) };
}
