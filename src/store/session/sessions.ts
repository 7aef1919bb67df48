import {
  CLAIMS_INTERVAL,
  type NewSession,
  type PersonClaims,
  type RefreshedClaims,
  type SessionGrant,
  type SessionRecord,
  type SessionTenant,
} from "../../contract/session/service-session.ts";
import { formatMillis } from "../../kit/time.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";

/** An ended session, and the tenants that it was granted at sign-in. */
export interface EndedSession {
  token_hash: string;
  session_id: string;
  subject: string;
  display_name: string;
  grants: SessionGrant[];
}

/** First key of the advisory locks of sign-ins; the second is the person. */
const SIGN_IN_LOCK = 4_071_208;

interface SessionRow {
  session_id: string;
  subject: string;
  display_name: string;
  claims: string;
  selected_tenant: string | null;
  grants: string;
  csrf_token: string;
  expires_at: number;
  claims_due_at: number | null;
}

const COLUMNS =
  sql`session_id, subject, display_name, claims, selected_tenant, grants, csrf_token, expires_at,
  claims_due_at`;

/** Creates a session; times in microseconds. */
export async function createSession(
  tx: Tx,
  sessionId: string,
  session: NewSession,
  now: number,
  expiresAt: number,
): Promise<SessionRecord> {
  const { token_hash: _, grants, provider_session, provider_state, ...shown } = session;
  const claimsDueAt = provider_state === null ? null : now + CLAIMS_INTERVAL;
  await tx.run(sql`
    insert into session (token_hash, session_id, subject, display_name, claims, selected_tenant, csrf_token,
      grants, created_at, expires_at, provider_session, provider_state, claims_due_at)
    values (${session.token_hash}, ${sessionId}, ${session.subject}, ${session.display_name},
      ${JSON.stringify(session.claims)}, ${session.selected_tenant}, ${session.csrf_token}, ${
    JSON.stringify(grants)
  },
      ${timestampLiteral(now)}, ${timestampLiteral(expiresAt)}, ${provider_session}, ${provider_state},
      ${claimsDueAt === null ? null : timestampLiteral(claimsDueAt)})`);
  return {
    session_id: sessionId,
    ...shown,
    expires_at: formatMillis(expiresAt),
    claims_due_at: claimsDueAt === null ? null : formatMillis(claimsDueAt),
  };
}

/** The session of a cookie; null if there is none or it has ended. */
export async function findSession(tx: Tx, tokenHash: string, now: number): Promise<SessionRecord | null> {
  const [row] = await tx.rows<SessionRow>(sql`
    select ${COLUMNS} from session where token_hash = ${tokenHash} and expires_at > ${
    timestampLiteral(now)
  }`);
  return row ? record(row) : null;
}

type Selection =
  /** `changed`: another tenant was selected before. `grant`: the tenant's grant at sign-in. */
  | { outcome: "selected"; session: SessionRecord; changed: boolean; grant: SessionGrant; answer: string }
  /** The key was used for another request. */
  | { outcome: "mismatch" }
  | { outcome: "no_session" };

/**
 * Selects a tenant. A repeated key with the same request changes nothing and returns the first response, so
 * that a late retry does not undo a newer selection.
 */
export async function selectSessionTenant(
  tx: Tx,
  tokenHash: string,
  wanted: SessionTenant,
  now: number,
): Promise<Selection> {
  const [row] = await tx.rows<SessionRow>(sql`
    select ${COLUMNS} from session where token_hash = ${tokenHash} and expires_at > ${
    timestampLiteral(now)
  } for update`);
  if (!row) return { outcome: "no_session" };

  const { tenant_id: tenantId, idempotency_key: key, fingerprint, answer } = wanted;
  const grants = JSON.parse(row.grants) as SessionGrant[];
  // Under the lock of the session's row, so the second of two requests with one key sees the first one's
  // response.
  const [before] = await tx.rows<{ fingerprint: string; answer: string }>(sql`
    select fingerprint, answer from session_selection
    where token_hash = ${tokenHash} and idempotency_key = ${key}`);
  if (before && before.fingerprint !== fingerprint) return { outcome: "mismatch" };
  if (!before) {
    await tx.run(sql`update session set selected_tenant = ${tenantId} where token_hash = ${tokenHash}`);
    await tx.run(sql`
      insert into session_selection (token_hash, idempotency_key, fingerprint, answer)
      values (${tokenHash}, ${key}, ${fingerprint}, ${answer})`);
  }
  return {
    outcome: "selected",
    session: { ...record(row), selected_tenant: tenantId },
    changed: before === undefined && row.selected_tenant !== tenantId,
    answer: before?.answer ?? answer,
    grant: grants.find((one) => one.tenant_id === tenantId) ?? { tenant_id: tenantId, roles: [] },
  };
}

/** Ends a session; null if there is none. */
export async function deleteSession(tx: Tx, tokenHash: string): Promise<EndedSession | null> {
  return (await deleteWhere(tx, sql`token_hash = ${tokenHash}`))[0] ?? null;
}

/**
 * Ends the oldest sessions of a person beyond the newest `most` at `now` (microseconds). Sign-ins of one
 * person wait for each other here, so that none is missed.
 */
export async function endOldestSessions(
  tx: Tx,
  subject: string,
  { most, now }: { most: number; now: number },
): Promise<EndedSession[]> {
  await tx.rows(sql`select pg_advisory_xact_lock(${SIGN_IN_LOCK}, hashtext(${subject}))::text`);
  return await deleteWhere(
    tx,
    sql`token_hash in (
      select token_hash from session where subject = ${subject} and expires_at > ${timestampLiteral(now)}
      order by created_at desc, session_id offset ${most})`,
  );
}

/** Ends every session of a person. */
export async function deleteSubjectSessions(tx: Tx, subject: string): Promise<EndedSession[]> {
  return await deleteWhere(tx, sql`subject = ${subject}`);
}

/**
 * Ends the sessions that a logout at the provider names. Without `providerSession` those are all of the person, else
 * the ones of that session at the provider, and those of the person whose provider session is unknown.
 */
export async function deleteProviderSessions(
  tx: Tx,
  subject: string | null,
  providerSession: string | null,
): Promise<EndedSession[]> {
  if (providerSession === null) return subject === null ? [] : await deleteSubjectSessions(tx, subject);
  if (subject === null) return await deleteWhere(tx, sql`provider_session = ${providerSession}`);
  return await deleteWhere(
    tx,
    sql`subject = ${subject} and (provider_session = ${providerSession} or provider_session is null)`,
  );
}

/**
 * Reserves the refresh of a session's claims that is due, until the next one, and returns the provider state; null if
 * it is not due.
 */
export async function reserveRefresh(
  tx: Tx,
  tokenHash: string,
  now: number,
): Promise<{ provider_state: string } | null> {
  const [row] = await tx.rows<{ provider_state: string }>(sql`
    update session set claims_due_at = ${timestampLiteral(now + CLAIMS_INTERVAL)}
    where token_hash = ${tokenHash} and claims_due_at <= ${timestampLiteral(now)}
      and expires_at > ${timestampLiteral(now)} and provider_state is not null
    returning provider_state`);
  return row ?? null;
}

/** Replaces a session's claims; returns the session with the grants it had before, null if it has ended. */
export async function replaceClaims(
  tx: Tx,
  tokenHash: string,
  { claims, display_name, grants, provider_state }: RefreshedClaims,
): Promise<{ session: SessionRecord; former: SessionGrant[] } | null> {
  const [before] = await tx.rows<{ grants: string }>(sql`
    select grants from session where token_hash = ${tokenHash} for update`);
  if (!before) return null;
  const [row] = await tx.rows<SessionRow>(sql`
    update session set claims = ${JSON.stringify(claims)}, display_name = ${display_name},
      grants = ${JSON.stringify(grants)}, provider_state = ${provider_state},
      claims_due_at = ${provider_state === null ? sql`null` : sql`claims_due_at`}
    where token_hash = ${tokenHash} returning ${COLUMNS}`);
  return { session: record(row!), former: JSON.parse(before.grants) as SessionGrant[] };
}

/** Deletes expired sessions. */
export async function purgeSessions(tx: Tx, now: number): Promise<EndedSession[]> {
  return await deleteWhere(tx, sql`expires_at <= ${timestampLiteral(now)}`);
}

async function deleteWhere(tx: Tx, condition: Sql): Promise<EndedSession[]> {
  const rows = await tx.rows<Omit<EndedSession, "grants"> & { grants: string }>(sql`
    delete from session where ${condition} returning token_hash, session_id, subject, display_name, grants`);
  return rows.map((row) => ({ ...row, grants: JSON.parse(row.grants) as SessionGrant[] }));
}

function record(row: SessionRow): SessionRecord {
  return {
    session_id: row.session_id,
    subject: row.subject,
    display_name: row.display_name,
    claims: JSON.parse(row.claims) as PersonClaims,
    selected_tenant: row.selected_tenant,
    csrf_token: row.csrf_token,
    expires_at: formatMillis(row.expires_at),
    claims_due_at: row.claims_due_at === null ? null : formatMillis(row.claims_due_at),
  };
}
