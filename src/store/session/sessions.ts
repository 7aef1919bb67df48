import type {
  NewSession,
  PersonClaims,
  SessionGrant,
  SessionRecord,
  SessionTenant,
} from "../../contract/session/service-session.ts";
import { formatMillis } from "../../kit/time.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";

/** An ended session, and the tenants that it was granted at sign-in. */
export interface EndedSession {
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
}

/** Creates a session; times in microseconds. */
export async function createSession(
  tx: Tx,
  sessionId: string,
  session: NewSession,
  now: number,
  expiresAt: number,
): Promise<SessionRecord> {
  const { token_hash: _, grants, ...shown } = session;
  await tx.run(sql`
    insert into session (token_hash, session_id, subject, display_name, claims, selected_tenant, csrf_token,
      grants, created_at, expires_at)
    values (${session.token_hash}, ${sessionId}, ${session.subject}, ${session.display_name},
      ${JSON.stringify(session.claims)}, ${session.selected_tenant}, ${session.csrf_token}, ${
    JSON.stringify(grants)
  },
      ${timestampLiteral(now)}, ${timestampLiteral(expiresAt)})`);
  return { session_id: sessionId, ...shown, expires_at: formatMillis(expiresAt) };
}

/** The session of a cookie; null if there is none or it has ended. */
export async function findSession(tx: Tx, tokenHash: string, now: number): Promise<SessionRecord | null> {
  const [row] = await tx.rows<SessionRow>(sql`
    select session_id, subject, display_name, claims, selected_tenant, grants, csrf_token,
      expires_at
    from session where token_hash = ${tokenHash} and expires_at > ${timestampLiteral(now)}`);
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
    select session_id, subject, display_name, claims, selected_tenant, grants, csrf_token,
      expires_at
    from session where token_hash = ${tokenHash} and expires_at > ${timestampLiteral(now)} for update`);
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

/** Deletes expired sessions. */
export async function purgeSessions(tx: Tx, now: number): Promise<EndedSession[]> {
  return await deleteWhere(tx, sql`expires_at <= ${timestampLiteral(now)}`);
}

async function deleteWhere(tx: Tx, condition: Sql): Promise<EndedSession[]> {
  const rows = await tx.rows<Omit<EndedSession, "grants"> & { grants: string }>(sql`
    delete from session where ${condition} returning session_id, subject, display_name, grants`);
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
  };
}
