import type { Context } from "hono";
import { dataEnvelope, jsonResponse } from "../contract/envelope.ts";
import { ApiError } from "../contract/errors.ts";
import { MAX_BODY_BYTES, readIdempotencyKey, readJsonBody } from "../contract/request-parts.ts";
import { ROUTES } from "../contract/routes.ts";
import { type Session, TenantSelection } from "../contract/session.ts";
import type { Clock } from "../kit/clock.ts";
import { readBody } from "../kit/read-body.ts";
import { admit, type GuardOptions } from "./guard.ts";
import type { SignedIn } from "./sessions.ts";

export interface SessionRouteOptions extends GuardOptions {
  clock: Clock;
  tenants: ReadonlyMap<string, string>;
}

/** `GET /api/v1/session` */
export async function getSession(
  c: Context,
  requestId: string,
  options: SessionRouteOptions,
): Promise<Response> {
  return sessionResponse(await admit(c, ROUTES.getSession, options), requestId, options);
}

/** `POST /api/v1/session/tenant` */
export async function selectTenant(
  c: Context,
  requestId: string,
  options: SessionRouteOptions,
): Promise<Response> {
  const session = await admit(c, ROUTES.selectTenant, options);
  const body = await readBody(c.req.raw, MAX_BODY_BYTES);
  if (body === null) throw new ApiError("payload_too_large", undefined, { max_bytes: MAX_BODY_BYTES });
  const { tenant_id: tenantId } = readJsonBody(TenantSelection, c.req.header("content-type"), body);
  if (!session.grants.some((grant) => grant.tenant_id === tenantId)) {
    // Whether such a tenant exists is nobody's business who has no part in it.
    throw new ApiError("forbidden", "You have no role in this tenant.");
  }
  const key = readIdempotencyKey(c.req.header("idempotency-key"));
  return sessionResponse(await options.sessions.select(session, tenantId, key), requestId, options);
}

function sessionResponse(session: SignedIn, requestId: string, options: SessionRouteOptions): Response {
  const data: Session = {
    subject: session.record.subject,
    display_name: session.record.display_name,
    tenants: session.grants.map((grant) => ({
      tenant_id: grant.tenant_id,
      display_name: options.tenants.get(grant.tenant_id) ?? grant.tenant_id,
      roles: grant.roles,
    })),
    selected_tenant: session.selected?.tenant_id ?? null,
    csrf_token: session.record.csrf_token,
  };
  return jsonResponse(dataEnvelope(data, requestId, options.clock.now()), 200);
}
