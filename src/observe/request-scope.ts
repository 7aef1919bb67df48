import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestContext } from "../contract/request/context.ts";
import { randomUuid } from "../kit/id.ts";

/** The request that asynchronous work belongs to, for log lines and audit. */
const scopes = new AsyncLocalStorage<RequestContext>();

/** Runs `work` as part of a request. Facts learned later are written to `context`. */
export function inRequest<T>(context: RequestContext, work: () => T): T {
  return scopes.run(context, work);
}

/** The current request; null outside of one, as in jobs and in the pipeline. */
export function currentRequest(): RequestContext | null {
  return scopes.getStore() ?? null;
}

/** The id of the current request; a new one outside of a request. */
export function currentRequestId(): string {
  return currentRequest()?.requestId ?? randomUuid();
}

/**
 * Returns a new request context. The id is always generated here: one chosen by a client could be reused or
 * belong to another request.
 */
export function newRequest(from: Partial<RequestContext> = {}): RequestContext {
  return {
    requestId: randomUuid(),
    clientAddress: null,
    userAgent: null,
    sessionId: null,
    displayName: null,
    ...from,
  };
}
