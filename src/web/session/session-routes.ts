import type { Context } from "hono";
import { dataEnvelope, jsonResponse } from "../../contract/request/envelope.ts";
import { ApiError } from "../../contract/request/errors.ts";
import { requestFingerprint } from "../../contract/request/idempotency.ts";
import { readIdempotencyKey, readJsonBody } from "../../contract/request/parts.ts";
import { readBodyOf } from "../../contract/request/capacity.ts";
import { ROUTES } from "../../contract/routes.ts";
import { type Session, TenantSelection } from "../../contract/session/session.ts";
import type { Clock } from "../../kit/clock.ts";
import { admit, type GuardOptions } from "../guard.ts";
import type { SignedIn } from "./sessions.ts";

interface SessionRouteOptions extends GuardOptions {
  clock: Clock;
  tenants: ReadonlyMap<string, string>;
}

/** `GET /api/v1/session` */
export async function getSession(
  c: Context,
  requestId: string,
  options: SessionRouteOptions,
): Promise<Response> {
  return jsonResponse(sessionBody(await admit(c, ROUTES.getSession, options), requestId, options), 200);
}

/** `POST /api/v1/session/tenant` */
export async function selectTenant(
  c: Context,
  requestId: string,
  options: SessionRouteOptions,
): Promise<Response> {
  const session = await admit(c, ROUTES.selectTenant, options);
  const body = await readBodyOf(c);
  const { tenant_id: tenantId } = readJsonBody(TenantSelection, c.req.header("content-type"), body);
  const grant = session.grants.find((one) => one.tenant_id === tenantId);
  if (grant === undefined) {
    // Whether the tenant exists is not revealed.
    const refused = new ApiError("forbidden", "You have no role in this tenant.", {
      reason: "tenant_not_permitted",
    });
    await options.refusals.ofPerson("selectTenant", session, refused);
    throw refused;
  }
  const answer = sessionBody({ ...session, selected: grant }, requestId, options);
  const selection = {
    tenant_id: tenantId,
    idempotency_key: readIdempotencyKey(c.req.header("idempotency-key")),
    fingerprint: requestFingerprint(c.req.method, new URL(c.req.url), body),
    answer,
  };
  return jsonResponse(await options.sessions.select(session, selection), 200);
}

function sessionBody(session: SignedIn, requestId: string, options: SessionRouteOptions): string {
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
  return dataEnvelope(data, requestId, options.clock.now());
}
