import { z } from "@hono/zod-openapi";
import { ROLES } from "../record/kinds.ts";

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
