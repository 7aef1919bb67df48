import { requireRole } from "../contract/session/access.ts";
import { Id } from "../contract/request/common.ts";
import {
  dataEnvelope,
  type Download,
  downloadResponse,
  type EventStream,
  eventStreamResponse,
  jsonResponse,
} from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import { requestFingerprint } from "../contract/request/idempotency.ts";
import {
  readIdempotencyKey,
  readIfMatch,
  readJsonBody,
  readQuery,
  refuseUnknownParameters,
} from "../contract/request/parts.ts";
import { type OperationId, type Route, ROUTES } from "../contract/routes.ts";
import type { Logger } from "../observe/log.ts";
import { currentRequestId, describeWork } from "../observe/request-scope.ts";
import { setSpanAttributes } from "../observe/tracing.ts";
import { API_LIMITS } from "../store/engine/limits.ts";
import { addAudit } from "../store/session/audit.ts";
import type { StoredAnswer } from "../store/session/idempotency.ts";
import { type AuditedRequest, auditOfAnswer, auditOfRefusal, auditRefusal } from "./audit.ts";
import { type ClaimsOptions, type VerifiedRequest, verifySigned } from "./verify-request.ts";
import type { Answer, Caller, Handlers, ReadCall, WriteCall } from "./handler.ts";
import { runOnce } from "./idempotency.ts";
import type { AuditBudget } from "./audit-budget.ts";

export interface OperationOptions extends ClaimsOptions {
  log: Logger;
  /** The tenants of this installation. */
  tenants: { has(tenantId: string): boolean };
  refusals: AuditBudget;
}

/** Within the time for which the web layer waits for the core. */
const ANSWER_MILLISECONDS = API_LIMITS.answerMs;

/** A read handler with its types erased: the route's schemas have parsed `query` and `body`. */
type ReadHandler = (call: ReadCall<unknown, unknown>) => Promise<Answer>;

/** A write handler with its types erased; `ifMatch` is a number exactly if the route is revisioned. */
type WriteHandler = (call: WriteCall<unknown, unknown> & { ifMatch: number | null }) => Promise<Answer>;

/** A route that the core serves, with its handler. */
export type Operation =
  & { id: OperationId; route: Route }
  & ({ write: false; handler: ReadHandler } | { write: true; handler: WriteHandler });

/** The operations of the route table that the core serves. */
export function coreOperations(handlers: Handlers): Operation[] {
  const routes = Object.entries(ROUTES) as [OperationId, Route][];
  return routes.filter(([, { servedBy }]) => servedBy === "core").map(([id, route]) => {
    // `Handlers` derives each handler's call from the same route, so the flags select the matching kind.
    return { id, route, write: route.write, handler: handlers[id as keyof Handlers] } as unknown as Operation;
  });
}

/** Serves one request for one operation. Throws ApiError for every error response. */
export async function serveOperation(
  operation: Operation,
  raw: Request,
  pathParams: Record<string, string>,
  options: OperationOptions,
): Promise<Response> {
  const { id, route } = operation;
  const arrivedAt = performance.now();
  const request = await verifySigned(raw, operation.write, options);
  const requestId = currentRequestId();
  const caller = readCaller(request, options);
  describeWork({
    person: caller.subject,
    // A write takes effect as a whole, also if its client does not wait for the answer.
    signal: operation.write ? null : raw.signal,
    answerBy: route.download || route.stream ? null : arrivedAt + ANSWER_MILLISECONDS,
  });
  setSpanAttributes({ "ndr.tenant": caller.tenantId });
  const audited: AuditedRequest = { operation: id, caller, params: pathParams, body: {}, at: request.now };
  try {
    requireRole(caller.roles, route.role);
  } catch (error) {
    await auditRefusal(options, audited, error);
    throw error;
  }

  refuseUnknownParameters(route.query, request.url.searchParams);
  const readCall = (): ReadCall<unknown, unknown> => ({
    caller,
    params: readParams(pathParams),
    query: route.query ? readQuery(route.query, request.url.searchParams) : {},
    body: route.body ? readJsonBody(route.body, raw.headers.get("content-type"), request.body) : {},
    lastEventId: raw.headers.get("last-event-id") || null,
    now: request.now,
    requestId,
  });
  const toStored = (answer: Answer): StoredAnswer => ({
    status: answer.status ?? route.status,
    etag: answer.etag === undefined ? null : `"${answer.etag}"`,
    retryAfter: null,
    body: dataEnvelope(answer.data, requestId, options.clock.now(), answer.nextCursor, answer.beside),
  });
  if (!operation.write) {
    const answer = await operation.handler(readCall());
    if (route.download) return downloadResponse(answer.data as Download);
    if (route.stream) return await streamResponse(raw, answer.data as EventStream);
    const stored = toStored(answer);
    const isKnown = route.conditional && matchesTag(raw.headers.get("if-none-match"), stored.etag);
    return isKnown ? notModified(stored.etag!) : toResponse(stored);
  }

  const key = readIdempotencyKey(raw.headers.get("idempotency-key"));
  const call = readCall();
  const ifMatch = route.revisioned ? readIfMatch(raw.headers.get("if-match")) : null;
  const written: AuditedRequest = { ...audited, body: call.body };
  let afterwards: (() => void)[] = [];
  const answer = await runOnce({
    ...options,
    key: { tenantId: caller.tenantId, subject: caller.subject, key },
    fingerprint: requestFingerprint(raw.method, request.url, request.body),
    effect: async (tx) => {
      // A retried transaction begins again.
      afterwards = [];
      const onCommitted = (work: () => void) => void afterwards.push(work);
      const answer = await operation.handler({ ...call, tx, ifMatch, onCommitted });
      const stored = toStored(answer);
      await addAudit(tx, caller.tenantId, auditOfAnswer(written, answer, stored.status));
      return stored;
    },
    onRejection: (tx, error) => addAudit(tx, caller.tenantId, auditOfRefusal(written, error)),
  });
  for (const work of afterwards) work();
  return toResponse(answer);
}

/** A HEAD request gets the headers alone. */
async function streamResponse({ method }: Request, stream: EventStream): Promise<Response> {
  const response = eventStreamResponse(stream);
  if (method !== "HEAD") return response;
  await stream.body.cancel();
  return new Response(null, { headers: response.headers });
}

function readCaller({ claims }: VerifiedRequest, options: OperationOptions): Caller {
  // Service requests (no tenant, no role) may use the session routes only.
  if (claims.tenantId === null || claims.roles.length === 0) throw new ApiError("unauthenticated");
  if (!options.tenants.has(claims.tenantId)) {
    throw new ApiError("forbidden", undefined, { reason: "tenant_not_permitted" });
  }
  return { tenantId: claims.tenantId, subject: claims.subject, roles: claims.roles };
}

/** Identifiers are opaque, so a malformed one is `not_found`, not `invalid_request`. */
function readParams(params: Record<string, string>): Record<string, string> {
  for (const value of Object.values(params)) {
    if (!Id.safeParse(value).success) throw new ApiError("not_found");
  }
  return params;
}

/** Whether `If-None-Match` has an entity tag; weak comparison. */
function matchesTag(header: string | null, etag: string | null): boolean {
  if (header === null || etag === null) return false;
  return header.split(",").some((tag) => [etag, `W/${etag}`, "*"].includes(tag.trim()));
}

function notModified(etag: string): Response {
  return new Response(null, { status: 304, headers: { ETag: etag, "Cache-Control": "no-store" } });
}

function toResponse(answer: StoredAnswer): Response {
  const response = jsonResponse(answer.body, answer.status);
  if (answer.etag !== null) response.headers.set("ETag", answer.etag);
  if (answer.retryAfter !== null) response.headers.set("Retry-After", String(answer.retryAfter));
  return response;
}
