// The core's session routes, which only the web layer calls, with signed service requests.

import { z } from "@hono/zod-openapi";
import { Timestamp } from "../request/common.ts";
import { ROLES } from "../record/kinds.ts";

export const SESSIONS_PATH = "/internal/v1/sessions";
/** Session lifetime after sign-in, in microseconds. */
export const SESSION_LIFETIME = 12 * 3600 * 1_000_000;

/** Sessions that a person may have at once; a further sign-in ends the oldest. */
export const MAX_SESSIONS_PER_PERSON = 20;

/** How often the claims of a session in use are read again, in microseconds. */
export const CLAIMS_INTERVAL = 300 * 1_000_000;
/** Longest sealed provider state, in characters: tokens of real providers have up to some thousand. */
export const MAX_PROVIDER_STATE = 32_768;

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

/** What the web layer needs to ask the provider for the claims again, sealed by it. */
const ProviderState = z.string().min(1).max(MAX_PROVIDER_STATE);

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
  /** The provider's identifier of its own session (claim `sid`). */
  provider_session: z.string().min(1).max(255).nullable().default(null),
  provider_state: ProviderState.nullable().default(null),
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
  /** When the claims are to be read again; null if the provider cannot be asked. */
  claims_due_at: Timestamp.nullable(),
});
export type SessionRecord = z.infer<typeof SessionRecord>;

/** `DELETE /internal/v1/sessions/{token_hash}?reason=…`: the reason is recorded in the audit. */
export const SessionEnd = z.object({
  reason: z.enum(["signOut", "sessionReplaced", "accessWithdrawn", "providerRefused"]).default("signOut"),
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

/**
 * `POST /internal/v1/sessions/{token_hash}/claims-due`: reserves the refresh of the claims, so that several web
 * processes ask the provider once per interval. `data` is null if it is not due.
 */
export const ReservedRefresh = z.object({ provider_state: z.string() }).nullable();

/** `POST /internal/v1/sessions/{token_hash}/claims`: the claims as the provider states them now. */
export const RefreshedClaims = z.strictObject({
  display_name: z.string().min(1).max(256),
  claims: PersonClaims,
  grants: z.array(SessionGrant),
  /** Null: the provider cannot be asked again. */
  provider_state: ProviderState.nullable(),
});
export type RefreshedClaims = z.infer<typeof RefreshedClaims>;

/** `POST /internal/v1/sessions/revocations`: ends all sessions of a user. */
export const Revocation = z.strictObject({ subject: z.string().min(1).max(255) });

/**
 * `POST /internal/v1/sessions/provider-logout`: ends the sessions that a logout token of the provider names; with a
 * `provider_session` only those of that session.
 */
export const ProviderLogout = z.strictObject({
  subject: z.string().min(1).max(255).nullable(),
  provider_session: z.string().min(1).max(255).nullable(),
  /** SHA-256 of the token's issuer and identifier, by which a second use is recognised until `expires_at`. */
  token_id: z.string().regex(/^[0-9a-f]{64}$/),
  expires_at: Timestamp,
});
export type ProviderLogout = z.infer<typeof ProviderLogout>;

/** `data` of the response: the ended sessions; null if the token was used before. */
export const EndedByProvider = z.array(TokenHash).nullable();

export const WEB_REPORT_PATH = "/internal/v1/web-report";

/** `POST /internal/v1/web-report`, every minute. */
export const WebReport = z.strictObject({
  /** Why the identity provider does not answer; null if it does. */
  sign_in_failure: z.string().max(500).nullable(),
  /** Where the newest reload of the access rules found faults; null if it applied. */
  reload_failure: z.string().max(500).nullable().default(null),
});
export type WebReport = z.infer<typeof WebReport>;

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
