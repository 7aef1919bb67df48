import type { SessionEvent } from "../contract/session/audit.ts";
import type { NewRefusal, NewSession, SessionGrant } from "../contract/session/service-session.ts";
import { addAuditOfGrants } from "../store/session/audit.ts";
import type { Tx } from "../store/engine/database.ts";
import type { EndedSession } from "../store/session/sessions.ts";
import { named, NO_TARGET, requestParts } from "./audit.ts";

const DONE = {
  outcome: "done",
  errorCode: null,
  reason: null,
  targetType: null,
  targetId: null,
  changes: [],
} as const;

/** Told to every tenant that the sign-in opens, each with the roles there. */
export async function auditSignIn(tx: Tx, session: NewSession, sessionId: string, at: number): Promise<void> {
  await addAuditOfGrants(tx, session.grants, {
    ...requestParts(),
    ...DONE,
    at,
    operation: "signIn",
    status: null,
    subject: session.subject,
    displayName: session.display_name,
    sessionId,
  });
}

/** Told to every tenant that the session opened. */
export async function auditSessionEnd(
  tx: Tx,
  event: SessionEvent,
  session: EndedSession,
  at: number,
): Promise<void> {
  await addAuditOfGrants(tx, session.grants, {
    ...requestParts(),
    ...DONE,
    at,
    operation: event,
    status: null,
    subject: session.subject,
    displayName: session.display_name,
    sessionId: session.session_id,
  });
}

/** Told to the tenant that was selected; which one was before is none of its business. */
export async function auditSelection(
  tx: Tx,
  grant: SessionGrant,
  session: Omit<EndedSession, "grants">,
  at: number,
): Promise<void> {
  const { tenant_id: tenantId } = grant;
  await addAuditOfGrants(tx, [grant], {
    ...requestParts(),
    ...DONE,
    at,
    operation: "selectTenant",
    status: 200,
    subject: session.subject,
    displayName: session.display_name,
    sessionId: session.session_id,
    targetType: "tenant",
    targetId: tenantId,
    changes: [],
  });
}

/** What the web layer refused. */
export async function auditWebRefusal(tx: Tx, refusal: NewRefusal, at: number): Promise<void> {
  const parts = requestParts();
  const { target } = refusal;
  await addAuditOfGrants(tx, refusal.grants, {
    ...parts,
    at,
    operation: refusal.operation,
    outcome: "refused",
    status: refusal.status,
    errorCode: refusal.error_code,
    reason: refusal.reason,
    subject: refusal.subject,
    displayName: refusal.display_name ?? parts.displayName,
    ...target === null ? NO_TARGET : named(target.parameter, target.id),
    changes: [],
  });
}
