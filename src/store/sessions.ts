import type { NewSession, PersonClaims, SessionRecord } from "../contract/service-session.ts";
import { formatMillis } from "../kit/time.ts";
import type { Tx } from "./database.ts";
import { timestampLiteral } from "./literals.ts";
import { sql } from "./sql.ts";

/** Tenant selections remembered for retries; who sends more in one session may select twice. */
const MAX_SELECTIONS = 100;

interface SessionRow {
  session_id: string;
  subject: string;
  display_name: string;
  claims: string;
  selected_tenant: string | null;
  selections: string;
  csrf_token: string;
  expires_at: number;
}

/** Records a session; times in microseconds. */
export async function createSession(
  tx: Tx,
  sessionId: string,
  session: NewSession,
  now: number,
  expiresAt: number,
): Promise<SessionRecord> {
  const { token_hash: _, ...shown } = session;
  await tx.run(sql`
    insert into session (token_hash, session_id, subject, display_name, claims, selected_tenant, csrf_token,
      created_at, expires_at)
    values (${session.token_hash}, ${sessionId}, ${session.subject}, ${session.display_name},
      ${JSON.stringify(session.claims)}, ${session.selected_tenant}, ${session.csrf_token},
      ${timestampLiteral(now)}, ${timestampLiteral(expiresAt)})`);
  return { session_id: sessionId, ...shown, expires_at: formatMillis(expiresAt) };
}

/** The session of a cookie, or null when there is none or it has ended. */
export async function findSession(tx: Tx, tokenHash: string, now: number): Promise<SessionRecord | null> {
  const [row] = await tx.rows<SessionRow>(sql`
    select session_id, subject, display_name, claims, selected_tenant, selections, csrf_token, expires_at
    from session where token_hash = ${tokenHash} and expires_at > ${timestampLiteral(now)}`);
  return row ? record(row) : null;
}

export type Selection =
  | { outcome: "selected"; session: SessionRecord }
  /** The same key selected another tenant before. */
  | { outcome: "mismatch" }
  | { outcome: "no_session" };

/**
 * Selects a tenant. A repeated key with the same tenant changes nothing and shows the session as it was after
 * the first call, so that a late retry does not undo a newer selection.
 */
export async function selectSessionTenant(
  tx: Tx,
  tokenHash: string,
  tenantId: string,
  idempotencyKey: string,
  now: number,
): Promise<Selection> {
  const [row] = await tx.rows<SessionRow>(sql`
    select session_id, subject, display_name, claims, selected_tenant, selections, csrf_token, expires_at
    from session where token_hash = ${tokenHash} and expires_at > ${timestampLiteral(now)} for update`);
  if (!row) return { outcome: "no_session" };

  const selections = JSON.parse(row.selections) as [key: string, tenantId: string][];
  const before = selections.find(([key]) => key === idempotencyKey);
  if (before && before[1] !== tenantId) return { outcome: "mismatch" };
  if (!before) {
    const kept = [...selections, [idempotencyKey, tenantId]].slice(-MAX_SELECTIONS);
    await tx.run(sql`
      update session set selected_tenant = ${tenantId}, selections = ${JSON.stringify(kept)}
      where token_hash = ${tokenHash}`);
  }
  return { outcome: "selected", session: { ...record(row), selected_tenant: tenantId } };
}

/** Ends a session now; false when there was none. */
export async function deleteSession(tx: Tx, tokenHash: string): Promise<boolean> {
  return await tx.run(sql`delete from session where token_hash = ${tokenHash}`) === 1;
}

/** Ends every session of a person; returns how many. */
export async function deleteSubjectSessions(tx: Tx, subject: string): Promise<number> {
  return await tx.run(sql`delete from session where subject = ${subject}`);
}

/** Removes the sessions that have ended; returns how many. */
export async function purgeSessions(tx: Tx, now: number): Promise<number> {
  return await tx.run(sql`delete from session where expires_at <= ${timestampLiteral(now)}`);
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
