import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Route } from "../request/route.ts";

type Registry = OpenAPIHono["openAPIRegistry"];

const SIGNED_REQUEST =
  `How the web layer calls the core on its loopback address; such headers sent by browsers are discarded. Requires all of
\`X-NDR-Service\`, \`X-NDR-Tenant\`, \`X-NDR-Subject\`, \`X-NDR-Roles\` (sorted, comma-separated), \`X-NDR-Issued-At\`,
\`X-NDR-Expires-At\`, \`X-NDR-Nonce\` and \`X-NDR-Signature\`: the HMAC-SHA256, with the service key, of the UTF-8 lines
\`ndr-request-v1\`, method, path, canonical query, hex SHA-256 of the body, tenant, subject, roles, both times and the nonce.
A subject that is not printable ASCII, or begins with \`UTF-8''\`, is sent as \`UTF-8''\` and its percent-encoded UTF-8, and
signed decoded. Claims are valid for at most 60 seconds, and the nonce of a write can be used once. Any fault gives 401
without a reason.`;

export function addSecuritySchemes(registry: Registry): void {
  registry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "__Host-ndr-session",
    description: "Set by `/auth/login`. Named `ndr-session` if the service runs over plain HTTP on loopback.",
  });
  registry.registerComponent("securitySchemes", "csrf", {
    type: "apiKey",
    in: "header",
    name: "X-CSRF-Token",
    description: "`csrf_token` of `GET /api/v1/session`; required by every method except GET.",
  });
  registry.registerComponent("securitySchemes", "signedRequest", {
    type: "apiKey",
    in: "header",
    name: "X-NDR-Signature",
    description: SIGNED_REQUEST,
  });
}

/** Browser session first; operations of the core also accept the web layer's signature. */
export function securityOf(route: Route): Record<string, string[]>[] {
  const session: Record<string, string[]> = route.method === "GET"
    ? { session: [] }
    : { session: [], csrf: [] };
  return route.servedBy === "core" ? [session, { signedRequest: [] }] : [session];
}
