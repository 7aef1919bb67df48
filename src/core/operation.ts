import { requireRole } from "../contract/session/access.ts";
import { Id } from "../contract/request/common.ts";
import { dataEnvelope, errorEnvelope, jsonResponse } from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import { requestFingerprint } from "../contract/request/idempotency.ts";
import { readIdempotencyKey, readIfMatch, readJsonBody, readQuery } from "../contract/request/parts.ts";
import { type OperationId, type Route, ROUTES } from "../contract/routes.ts";
import type { Logger } from "../observe/log.ts";
import { currentRequestId } from "../observe/request-scope.ts";
import { noteOnSpan } from "../observe/tracing.ts";
import { addAudit } from "../store/session/audit.ts";
import type { StoredAnswer } from "../store/session/idempotency.ts";
import { type Asked, auditOfAnswer, auditOfRefusal, auditRefusal } from "./audit.ts";
import { type ClaimsOptions, type VerifiedRequest, verifySigned } from "./claims.ts";
import type { Answer, Call, Caller } from "./handler.ts";
import { runOnce } from "./idempotency.ts";
import type { RefusalLimit } from "./refusal-limit.ts";

export interface OperationOptions extends ClaimsOptions {
  log: Logger;
  /** The tenants of this installation. */
  tenants: { has(tenantId: string): boolean };
  refusals: RefusalLimit;
}

/** A handler as the router calls it: the route's schemas have made `query` and `body` what it expects. */
export type AnyHandler = (call: Call<unknown, unknown>) => Promise<Answer>;

/** Serves one request for one operation of the route table. Throws ApiError where it refuses. */
export async function serveOperation(
  operation: OperationId,
  handler: AnyHandler,
  raw: Request,
  params: Record<string, string>,
  options: OperationOptions,
): Promise<Response> {
  const route: Route = ROUTES[operation];
  const request = await verifySigned(raw, route.write, options);
  const requestId = currentRequestId();
  const caller = readCaller(request, options);
  noteOnSpan({ "ndr.tenant": caller.tenantId });
  const asked: Asked = { operation, caller, params, body: {}, at: request.now };
  try {
    requireRole(caller.roles, route.role);
  } catch (error) {
    await auditRefusal(options, asked, error);
    throw error;
  }

  const key = route.write ? readIdempotencyKey(raw.headers.get("idempotency-key")) : null;
  const call: Call<unknown, unknown> = {
    caller,
    params: readParams(params),
    query: route.query ? readQuery(route.query, request.url.searchParams) : {},
    body: route.body ? readJsonBody(route.body, raw.headers.get("content-type"), request.body) : {},
    ifMatch: route.revisioned ? readIfMatch(raw.headers.get("if-match")) : null,
    tx: null,
    now: request.now,
    requestId,
  };
  const toStored = (answer: Answer): StoredAnswer => ({
    status: answer.status ?? route.status,
    etag: answer.etag === undefined ? null : `"${answer.etag}"`,
    retryAfter: null,
    body: dataEnvelope(answer.data, requestId, options.clock.now(), answer.nextCursor),
  });
  if (key === null) return toResponse(toStored(await handler(call)));
  const written = { ...asked, body: call.body };

  return toResponse(
    await runOnce({
      ...options,
      key: { tenantId: caller.tenantId, subject: caller.subject, key },
      fingerprint: requestFingerprint(raw.method, request.url, request.body),
      effect: async (tx) => {
        const answer = await handler({ ...call, tx });
        const stored = toStored(answer);
        await addAudit(tx, caller.tenantId, auditOfAnswer(written, answer, stored.status));
        return stored;
      },
      onRefusal: (tx, error) => addAudit(tx, caller.tenantId, auditOfRefusal(written, error)),
      refusal: (error) => ({
        status: error.status,
        etag: null,
        retryAfter: error.retryAfter,
        body: errorEnvelope(error, requestId),
      }),
    }),
  );
}

function readCaller({ claims }: VerifiedRequest, options: OperationOptions): Caller {
  // A service request (no tenant, no role) opens the session routes only.
  if (claims.tenantId === null || claims.roles.length === 0) throw new ApiError("unauthenticated");
  if (!options.tenants.has(claims.tenantId)) throw new ApiError("forbidden");
  return { tenantId: claims.tenantId, subject: claims.subject, roles: claims.roles };
}

/** Identifiers are opaque, so one that cannot be one names nothing. */
function readParams(params: Record<string, string>): Record<string, string> {
  for (const value of Object.values(params)) {
    if (!Id.safeParse(value).success) throw new ApiError("not_found");
  }
  return params;
}

function toResponse(answer: StoredAnswer): Response {
  const response = jsonResponse(answer.body, answer.status);
  if (answer.etag !== null) response.headers.set("ETag", answer.etag);
  if (answer.retryAfter !== null) response.headers.set("Retry-After", String(answer.retryAfter));
  return response;
}
