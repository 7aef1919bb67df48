// The core's session routes, which only the web layer calls, with signed service requests.

import { z } from "@hono/zod-openapi";
import { Timestamp } from "../request/common.ts";
import { ROLES } from "../record/kinds.ts";

export const SESSIONS_PATH = "/internal/v1/sessions";
/** Session lifetime after sign-in, in microseconds. */
export const SESSION_LIFETIME = 12 * 3600 * 1_000_000;

/** Sessions that a person may have at once; a further sign-in ends the oldest. */
export const MAX_SESSIONS_PER_PERSON = 20;

/** SHA-256 of the cookie's value; the core never receives the value itself. */
export const TokenHash = z.string().regex(/^[0-9a-f]{64}$/);

/** Claims of a user from the identity provider. Tenants and roles are derived from them at each request. */
export const PersonClaims = z.record(z.string(), z.unknown());
export type PersonClaims = z.infer<typeof PersonClaims>;

/** The roles that a session has in one tenant. */
export const SessionGrant = z.object({
  tenant_id: z.string().min(1).max(64),
  roles: z.array(z.enum(ROLES)),
});
export type SessionGrant = z.infer<typeof SessionGrant>;

/** `POST /internal/v1/sessions` */
export const NewSession = z.strictObject({
  token_hash: TokenHash,
  subject: z.string().min(1).max(255),
  display_name: z.string().min(1).max(256),
  claims: PersonClaims,
  selected_tenant: z.string().min(1).max(64).nullable(),
  csrf_token: z.string().min(32).max(128),
  /** Current access by the claims; these tenants' audits record the sign-in and the end of the session. */
  grants: z.array(SessionGrant).default([]),
});
export type NewSession = z.infer<typeof NewSession>;

/** `data` of `GET /internal/v1/sessions/{token_hash}` and of the two routes that change a session. */
export const SessionRecord = z.object({
  session_id: z.string(),
  subject: z.string(),
  display_name: z.string(),
  claims: PersonClaims,
  selected_tenant: z.string().nullable(),
  csrf_token: z.string(),
  expires_at: Timestamp,
});
export type SessionRecord = z.infer<typeof SessionRecord>;

/** `DELETE /internal/v1/sessions/{token_hash}?reason=…`: the reason is recorded in the audit. */
export const SessionEnd = z.object({
  reason: z.enum(["signOut", "sessionReplaced", "accessWithdrawn"]).default("signOut"),
});
export type SessionEndReason = z.infer<typeof SessionEnd>["reason"];

/** `POST /internal/v1/sessions/{token_hash}/tenant` */
export const SessionTenant = z.strictObject({
  tenant_id: z.string().min(1).max(64),
  idempotency_key: z.string().min(1).max(128),
  /** `requestFingerprint` of the user's request. */
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  /** The response body, replayed if the request is repeated. */
  answer: z.string().min(1),
});
export type SessionTenant = z.infer<typeof SessionTenant>;

/** `data` of the response. */
export const SelectedTenant = SessionRecord.extend({ answer: z.string() });

/** `POST /internal/v1/sessions/revocations`: ends all sessions of a user. */
export const Revocation = z.strictObject({ subject: z.string().min(1).max(255) });

export const REFUSALS_PATH = "/internal/v1/audit/refusals";

/**
 * `POST /internal/v1/audit/refusals`: a request that the web layer rejected by itself. `grants` are the
 * user's; each of these tenants' audits records it. A sign-in without access to any tenant has none.
 */
export const NewRefusal = z.strictObject({
  operation: z.string().regex(/^[A-Za-z]{1,64}$/),
  status: z.number().int().min(400).max(499),
  error_code: z.string().max(64),
  reason: z.string().max(500),
  /** The innermost path parameter, such as `device_id`, and its value. */
  target: z.strictObject({ parameter: z.string().max(64), id: z.string().max(128) }).nullable().default(null),
  subject: z.string().min(1).max(255).nullable(),
  display_name: z.string().min(1).max(256).nullable(),
  grants: z.array(SessionGrant),
});
export type NewRefusal = z.infer<typeof NewRefusal>;
