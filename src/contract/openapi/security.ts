import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Route } from "../request/route.ts";

type Registry = OpenAPIHono["openAPIRegistry"];

const SIGNED_REQUEST =
  `How the web layer calls the core on its loopback address; browsers' headers of these names never get through. Needs all of
\`X-NDR-Service\`, \`X-NDR-Tenant\`, \`X-NDR-Subject\`, \`X-NDR-Roles\` (sorted, joined by commas), \`X-NDR-Issued-At\`,
\`X-NDR-Expires-At\`, \`X-NDR-Nonce\` and \`X-NDR-Signature\`: the HMAC-SHA256, under the service key, of the lines
\`ndr-request-v1\`, method, path, canonical query, hex SHA-256 of the body, tenant, subject, roles, both times and the nonce.
Claims live at most 60 seconds, and a write's nonce can be used once. Whatever is wrong with them, the answer is 401 and does not say what.`;

export function addSecuritySchemes(registry: Registry): void {
  registry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "__Host-ndr-session",
    description:
      "Set by `/auth/login`. Named `ndr-session` where the service runs on plain http on loopback.",
  });
  registry.registerComponent("securitySchemes", "csrf", {
    type: "apiKey",
    in: "header",
    name: "X-CSRF-Token",
    description: "`csrf_token` of `GET /api/v1/session`; needed by every method but GET.",
  });
  registry.registerComponent("securitySchemes", "signedRequest", {
    type: "apiKey",
    in: "header",
    name: "X-NDR-Signature",
    description: SIGNED_REQUEST,
  });
}

/** The session of a browser first; what the core serves also answers to the web layer's signature. */
export function securityOf(route: Route): Record<string, string[]>[] {
  const session: Record<string, string[]> = route.method === "GET"
    ? { session: [] }
    : { session: [], csrf: [] };
  return route.servedBy === "core" ? [session, { signedRequest: [] }] : [session];
}
