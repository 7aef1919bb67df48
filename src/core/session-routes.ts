import type { Hono } from "hono";
import { dataEnvelope, errorResponse, jsonResponse } from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import { readJsonBody, readQuery } from "../contract/request/parts.ts";
import type { SessionEvent } from "../contract/session/audit.ts";
import {
  MAX_SESSIONS_PER_PERSON,
  NewRefusal,
  NewSession,
  ProviderLogout,
  RefreshedClaims,
  REFUSALS_PATH,
  Revocation,
  SESSION_LIFETIME,
  SessionEnd,
  type SessionGrant,
  SESSIONS_PATH,
  SessionTenant,
  TokenHash,
  WEB_REPORT_PATH,
  WebReport,
} from "../contract/session/service-session.ts";
import { randomUuid } from "../kit/id.ts";
import { plainLine } from "../kit/plain-text.ts";
import { parseTimestamp } from "../kit/time.ts";
import type { Logger } from "../observe/log.ts";
import { currentRequestId } from "../observe/request-scope.ts";
import type { Tx } from "../store/engine/database.ts";
import {
  createSession,
  deleteProviderSessions,
  deleteSession,
  deleteSubjectSessions,
  type EndedSession,
  endOldestSessions,
  findSession,
  replaceClaims,
  reserveRefresh,
  selectSessionTenant,
} from "../store/session/sessions.ts";
import { useNonce } from "../store/session/nonces.ts";
import { recordPerson } from "../store/session/people.ts";
import { type ClaimsOptions, type VerifiedRequest, verifySigned } from "./verify-request.ts";
import { toApiError } from "./api-error.ts";
import { AuditBudget } from "./audit-budget.ts";
import {
  auditAccessChange,
  auditSelection,
  auditSessionEnd,
  auditSignIn,
  auditWebRefusal,
} from "./session-audit.ts";

type Serve = (
  request: VerifiedRequest,
  raw: Request,
  tokenHash: string,
) => Promise<{ data: unknown; status?: number }>;

/**
 * Adds the routes under which the web layer stores sessions. They accept only service requests, which name
 * neither a tenant nor a role, so that a request signed for a user never reaches these routes, and vice
 * versa.
 */
export function addSessionRoutes(
  app: Hono,
  options: ClaimsOptions & {
    log: Logger;
    refusals: AuditBudget;
    tenants: { has(tenantId: string): boolean };
    webReported?: (report: WebReport, now: number) => void;
  },
): void {
  const { db, tenants } = options;
  const events = new AuditBudget("session events", options.clock, options.log);
  const auditEnd = async (tx: Tx, event: SessionEvent, session: EndedSession, at: number) => {
    if (events.admits(event, personOf(session))) await auditSessionEnd(tx, event, session, at);
  };

  const route = (method: "GET" | "POST" | "DELETE", path: string, serve: Serve) =>
    app.on(method, path, async (c) => {
      try {
        const request = await verifySigned(c.req.raw, method !== "GET", options);
        if (request.claims.tenantId !== null || request.claims.roles.length > 0) {
          throw new ApiError("unauthenticated");
        }
        const { data, status } = await serve(request, c.req.raw, readTokenHash(c.req.param("token_hash")));
        return jsonResponse(dataEnvelope(data, currentRequestId(), request.now), status ?? 200);
      } catch (error) {
        const requestId = currentRequestId();
        return errorResponse(toApiError(error, requestId, options.log), requestId);
      }
    });

  route("POST", SESSIONS_PATH, async ({ body, now }, raw) => {
    const session = readJsonBody(NewSession, raw.headers.get("content-type"), body);
    // The web layer knows the tenants of access.yaml, but not those of sensors.
    const { grants } = session;
    const isOurs = (grant: SessionGrant) => tenants.has(grant.tenant_id);
    if (grants.length > 0 && !grants.some(isOurs)) {
      throw new ApiError("forbidden", undefined, { reason: "tenant_not_permitted" });
    }
    const data = await db.shared(async (tx) => {
      const record = await createSession(tx, randomUuid(), session, now, now + SESSION_LIFETIME);
      if (events.admits("signIn", personOf(session))) {
        await auditSignIn(tx, session, record.session_id, now);
      }
      const limit = { most: MAX_SESSIONS_PER_PERSON, now };
      for (const ended of await endOldestSessions(tx, session.subject, limit)) {
        await auditEnd(tx, "sessionEvicted", ended, now);
      }
      // After the lock of the person's sign-ins, so that concurrent ones do not block each other.
      await recordPerson(tx, personIn(session), grants.filter(isOurs), now);
      return record;
    });
    return { data, status: 201 };
  });

  route("POST", `${SESSIONS_PATH}/revocations`, async ({ body, now }, raw) => {
    const { subject } = readJsonBody(Revocation, raw.headers.get("content-type"), body);
    const ended = await db.shared(async (tx) => {
      const sessions = await deleteSubjectSessions(tx, subject);
      for (const session of sessions) await auditEnd(tx, "sessionRevoked", session, now);
      return sessions.length;
    });
    return { data: { ended } };
  });

  route("POST", `${SESSIONS_PATH}/provider-logout`, async ({ body, now }, raw) => {
    const logout = readJsonBody(ProviderLogout, raw.headers.get("content-type"), body);
    const data = await db.shared(async (tx) => {
      const { micros } = parseTimestamp(logout.expires_at)!;
      if (!await useNonce(tx, `logout:${logout.token_id}`, micros)) return null;
      const sessions = await deleteProviderSessions(tx, logout.subject, logout.provider_session);
      for (const session of sessions) await auditEnd(tx, "providerSignOut", session, now);
      return sessions.map((session) => session.token_hash);
    });
    return { data };
  });

  route("POST", `${SESSIONS_PATH}/:token_hash/claims-due`, async ({ now }, _raw, tokenHash) => ({
    data: await db.shared((tx) => reserveRefresh(tx, tokenHash, now)),
  }));

  route("POST", `${SESSIONS_PATH}/:token_hash/claims`, async ({ body, now }, raw, tokenHash) => {
    const refreshed = readJsonBody(RefreshedClaims, raw.headers.get("content-type"), body);
    const session = await db.shared(async (tx) => {
      const replaced = await replaceClaims(tx, tokenHash, refreshed);
      if (replaced === null) return null;
      const { former, session } = replaced;
      await auditAccessChange(tx, { former, current: refreshed.grants }, session, now);
      return session;
    });
    if (session === null) throw new ApiError("not_found");
    return { data: session };
  });

  route("GET", `${SESSIONS_PATH}/:token_hash`, async ({ now }, _raw, tokenHash) => {
    const session = await db.shared((tx) => findSession(tx, tokenHash, now));
    if (session === null) throw new ApiError("not_found");
    return { data: session };
  });

  route("DELETE", `${SESSIONS_PATH}/:token_hash`, async ({ url, now }, _raw, tokenHash) => {
    const { reason } = readQuery(SessionEnd, url.searchParams);
    const ended = await db.shared(async (tx) => {
      const session = await deleteSession(tx, tokenHash);
      if (session !== null) await auditEnd(tx, reason, session, now);
      return session === null ? 0 : 1;
    });
    return { data: { ended } };
  });

  route("POST", `${SESSIONS_PATH}/:token_hash/tenant`, async ({ body, now }, raw, tokenHash) => {
    const selected = readJsonBody(SessionTenant, raw.headers.get("content-type"), body);
    const selection = await db.shared(async (tx) => {
      const result = await selectSessionTenant(tx, tokenHash, selected, now);
      const isNew = result.outcome === "selected" && result.changed;
      if (isNew && events.admits("selectTenant", result.session.subject)) {
        await auditSelection(tx, result.grant, result.session, now);
      }
      if (result.outcome === "selected" && tenants.has(selected.tenant_id)) {
        await recordPerson(tx, personIn(result.session), [result.grant], now);
      }
      return result;
    });
    if (selection.outcome === "no_session") throw new ApiError("not_found");
    if (selection.outcome === "mismatch") {
      throw new ApiError(
        "invalid_request",
        "This Idempotency-Key was already used for a different request.",
        {
          reason: "idempotency_mismatch",
        },
        422,
      );
    }
    return { data: { ...selection.session, answer: selection.answer } };
  });

  route("POST", WEB_REPORT_PATH, ({ body, now }, raw) => {
    options.webReported?.(readJsonBody(WebReport, raw.headers.get("content-type"), body), now);
    return Promise.resolve({ data: null });
  });

  route("POST", REFUSALS_PATH, async ({ body, now }, raw) => {
    const refusal = readJsonBody(NewRefusal, raw.headers.get("content-type"), body);
    const subject = refusal.grants.length > 0 ? refusal.subject : null;
    const recorded = options.refusals.admits(refusal.operation, subject);
    if (recorded) await db.shared((tx) => auditWebRefusal(tx, refusal, now));
    return { data: { recorded }, status: 201 };
  });
}

/** A person as the directory shows them. */
function personIn({ subject, display_name }: Pick<NewSession, "subject" | "display_name">) {
  return { subject, displayName: plainLine(display_name) };
}

/** Whose budget an event counts against; null for a person without access to any tenant. */
function personOf({ subject, grants }: Pick<EndedSession, "subject" | "grants">): string | null {
  return grants.length > 0 ? subject : null;
}

function readTokenHash(text: string | undefined): string {
  if (text === undefined) return "";
  if (!TokenHash.safeParse(text).success) throw new ApiError("not_found");
  return text;
}
