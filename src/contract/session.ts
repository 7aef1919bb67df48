import { z } from "@hono/zod-openapi";
import { ROLES } from "./kinds.ts";

export const Session = z.object({
  subject: z.string(),
  display_name: z.string(),
  tenants: z.array(
    z.object({ tenant_id: z.string(), display_name: z.string(), roles: z.array(z.enum(ROLES)) }),
  ),
  selected_tenant: z.string().nullable(),
  csrf_token: z.string(),
}).openapi("Session");
export type Session = z.infer<typeof Session>;

export const TenantSelection = z.strictObject({ tenant_id: z.string().min(1).max(64) }).openapi(
  "TenantSelection",
);

/** Kept by the core, found by the SHA-256 of the cookie's value; the web process holds none of it. */
export const StoredSession = z.object({
  session_id: z.string(),
  subject: z.string(),
  display_name: z.string(),
  grants: z.array(z.object({ tenant_id: z.string(), roles: z.array(z.enum(ROLES)) })),
  selected_tenant: z.string().nullable(),
  csrf_token: z.string(),
  expires_at: z.string(),
});
export type StoredSession = z.infer<typeof StoredSession>;
