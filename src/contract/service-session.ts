// The session routes of the core, which only the web layer calls (by signed service requests).

import { z } from "@hono/zod-openapi";
import { Timestamp } from "./common.ts";

export const SESSIONS_PATH = "/internal/v1/sessions";
/** Sessions end this long after sign-in, in microseconds. */
export const SESSION_LIFETIME = 12 * 3600 * 1_000_000;

/** SHA-256 of the cookie's value: all that the core ever learns of it. */
export const TokenHash = z.string().regex(/^[0-9a-f]{64}$/);

/** What the identity provider said of a person. Tenants and roles are derived from it at each request. */
export const PersonClaims = z.record(z.string(), z.unknown());
export type PersonClaims = z.infer<typeof PersonClaims>;

/** `POST /internal/v1/sessions` */
export const NewSession = z.strictObject({
  token_hash: TokenHash,
  subject: z.string().min(1).max(255),
  display_name: z.string().min(1).max(256),
  claims: PersonClaims,
  selected_tenant: z.string().min(1).max(64).nullable(),
  csrf_token: z.string().min(32).max(128),
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

/** `POST /internal/v1/sessions/{token_hash}/tenant` */
export const SessionTenant = z.strictObject({
  tenant_id: z.string().min(1).max(64),
  idempotency_key: z.string().min(1).max(128),
});

/** `POST /internal/v1/sessions/revocations`: ends every session of a person. */
export const Revocation = z.strictObject({ subject: z.string().min(1).max(255) });
