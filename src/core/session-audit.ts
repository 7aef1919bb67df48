import type { Role } from "../contract/record/kinds.ts";
import type { SessionEvent } from "../contract/session/audit.ts";
import type { NewRefusal, NewSession, SessionGrant } from "../contract/session/service-session.ts";
import { plainLine } from "../kit/plain-text.ts";
import { addAuditOfGrants } from "../store/session/audit.ts";
import type { Tx } from "../store/engine/database.ts";
import type { EndedSession } from "../store/session/sessions.ts";
import { NO_TARGET, requestOrigin, targetOf } from "./audit.ts";

const DONE = {
  outcome: "done",
  errorCode: null,
  reason: null,
  targetType: null,
  targetId: null,
  changes: [],
} as const;

/** Records a sign-in for each tenant that it grants access to, with the roles there. */
export async function auditSignIn(tx: Tx, session: NewSession, sessionId: string, at: number): Promise<void> {
  await addAuditOfGrants(tx, session.grants, {
    ...requestOrigin(),
    ...DONE,
    at,
    operation: "signIn",
    status: null,
    subject: session.subject,
    displayName: session.display_name,
    sessionId,
  });
}

/** Records the end of a session for each tenant that it had access to. */
export async function auditSessionEnd(
  tx: Tx,
  event: SessionEvent,
  session: EndedSession,
  at: number,
): Promise<void> {
  await addAuditOfGrants(tx, session.grants, {
    ...requestOrigin(),
    ...DONE,
    at,
    operation: event,
    status: null,
    subject: session.subject,
    displayName: session.display_name,
    sessionId: session.session_id,
  });
}

/** Records for each tenant how the roles of a signed-in person changed there. */
export async function auditAccessChange(
  tx: Tx,
  { former, current }: { former: readonly SessionGrant[]; current: readonly SessionGrant[] },
  session: Pick<EndedSession, "session_id" | "subject" | "display_name">,
  at: number,
): Promise<void> {
  for (const tenantId of new Set([...former, ...current].map((grant) => grant.tenant_id))) {
    const [from, to] = [former, current].map((grants) =>
      grants.find((grant) => grant.tenant_id === tenantId)?.roles.toSorted() ?? []
    ) as [Role[], Role[]];
    if (from.join() === to.join()) continue;
    await addAuditOfGrants(tx, [{ tenant_id: tenantId, roles: to }], {
      ...requestOrigin(),
      ...DONE,
      at,
      operation: "accessChanged",
      status: null,
      subject: session.subject,
      displayName: session.display_name,
      sessionId: session.session_id,
      changes: [{ field: "roles", from: from.join(", ") || null, to: to.join(", ") || null }],
    });
  }
}

/** Records a tenant selection for the selected tenant only, which must not learn the previous one. */
export async function auditSelection(
  tx: Tx,
  grant: SessionGrant,
  session: Pick<EndedSession, "session_id" | "subject" | "display_name">,
  at: number,
): Promise<void> {
  const { tenant_id: tenantId } = grant;
  await addAuditOfGrants(tx, [grant], {
    ...requestOrigin(),
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

/** Records a request that the web layer rejected. */
export async function auditWebRefusal(tx: Tx, refusal: NewRefusal, at: number): Promise<void> {
  const origin = requestOrigin();
  const { target } = refusal;
  await addAuditOfGrants(tx, refusal.grants, {
    ...origin,
    at,
    operation: refusal.operation,
    outcome: "refused",
    status: refusal.status,
    errorCode: refusal.error_code,
    reason: plainLine(refusal.reason),
    subject: refusal.subject,
    displayName: refusal.display_name ?? origin.displayName,
    ...target === null ? NO_TARGET : targetOf(target.parameter, target.id),
    changes: [],
  });
}
