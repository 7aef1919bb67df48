import type { Hono } from "hono";
import { dataEnvelope, errorResponse, jsonResponse } from "../contract/envelope.ts";
import { ApiError } from "../contract/errors.ts";
import { readJsonBody } from "../contract/request-parts.ts";
import {
  NewSession,
  Revocation,
  SESSION_LIFETIME,
  SESSIONS_PATH,
  SessionTenant,
  TokenHash,
} from "../contract/service-session.ts";
import { randomUuid } from "../kit/id.ts";
import type { Logger } from "../observe/log.ts";
import {
  createSession,
  deleteSession,
  deleteSubjectSessions,
  findSession,
  selectSessionTenant,
} from "../store/sessions.ts";
import { type ClaimsOptions, type VerifiedRequest, verifySigned } from "./claims.ts";
import { toApiError } from "./errors.ts";

type Serve = (
  request: VerifiedRequest,
  raw: Request,
  tokenHash: string,
) => Promise<{ data: unknown; status?: number }>;

/**
 * Where the web layer keeps sessions. Reached by service requests only: signed ones that name neither a tenant
 * nor a role, so that what is signed for a person never opens these routes, and the other way round.
 */
export function addSessionRoutes(app: Hono, options: ClaimsOptions & { log: Logger }): void {
  const { db } = options;

  const route = (method: "GET" | "POST" | "DELETE", path: string, serve: Serve) =>
    app.on(method, path, async (c) => {
      const requestId = randomUuid();
      try {
        const request = await verifySigned(c.req.raw, method !== "GET", options);
        if (request.claims.tenantId !== null || request.claims.roles.length > 0) {
          throw new ApiError("unauthenticated");
        }
        const { data, status } = await serve(request, c.req.raw, readTokenHash(c.req.param("token_hash")));
        return jsonResponse(dataEnvelope(data, requestId, request.now), status ?? 200);
      } catch (error) {
        return errorResponse(toApiError(error, requestId, options.log), requestId);
      }
    });

  route("POST", SESSIONS_PATH, async ({ body, now }, raw) => {
    const session = readJsonBody(NewSession, raw.headers.get("content-type"), body);
    const data = await db.shared((tx) =>
      createSession(tx, randomUuid(), session, now, now + SESSION_LIFETIME)
    );
    return { data, status: 201 };
  });

  route("POST", `${SESSIONS_PATH}/revocations`, async ({ body }, raw) => {
    const { subject } = readJsonBody(Revocation, raw.headers.get("content-type"), body);
    return { data: { ended: await db.shared((tx) => deleteSubjectSessions(tx, subject)) } };
  });

  route("GET", `${SESSIONS_PATH}/:token_hash`, async ({ now }, _raw, tokenHash) => {
    const session = await db.shared((tx) => findSession(tx, tokenHash, now));
    if (session === null) throw new ApiError("not_found");
    return { data: session };
  });

  route("DELETE", `${SESSIONS_PATH}/:token_hash`, async (_request, _raw, tokenHash) => {
    return { data: { ended: await db.shared((tx) => deleteSession(tx, tokenHash)) ? 1 : 0 } };
  });

  route("POST", `${SESSIONS_PATH}/:token_hash/tenant`, async ({ body, now }, raw, tokenHash) => {
    const wanted = readJsonBody(SessionTenant, raw.headers.get("content-type"), body);
    const selection = await db.shared((tx) =>
      selectSessionTenant(tx, tokenHash, wanted.tenant_id, wanted.idempotency_key, now)
    );
    if (selection.outcome === "no_session") throw new ApiError("not_found");
    if (selection.outcome === "mismatch") {
      throw new ApiError("invalid_request", "This Idempotency-Key was used for another request.", {
        reason: "idempotency_mismatch",
      }, 422);
    }
    return { data: selection.session };
  });
}

function readTokenHash(text: string | undefined): string {
  if (text === undefined) return "";
  if (!TokenHash.safeParse(text).success) throw new ApiError("not_found");
  return text;
}
