import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestContext } from "../contract/request/context.ts";
import { randomUuid } from "../kit/id.ts";

/** The request that current work belongs to; log lines and statements carry its id. */
const scopes = new AsyncLocalStorage<RequestContext>();

/** Runs `work` as part of a request. Later findings are written into `context`. */
export function inRequest<T>(context: RequestContext, work: () => T): T {
  return scopes.run(context, work);
}

/** The request being answered; null outside of requests, as in jobs and the pipeline. */
export function currentRequest(): RequestContext | null {
  return scopes.getStore() ?? null;
}

/** Its identifier; a new one outside of requests. */
export function currentRequestId(): string {
  return currentRequest()?.requestId ?? randomUuid();
}

/**
 * A new request context. Its identifier is always ours: a client's could be used twice or belong to another
 * request.
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
