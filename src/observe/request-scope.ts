import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestContext } from "../contract/request/context.ts";
import { randomUuid } from "../kit/id.ts";

/** What is under way belongs to a request; log lines and statements say to which. */
const scopes = new AsyncLocalStorage<RequestContext>();

/** Does `work` as a part of one request. What becomes known of it later is written into `context`. */
export function inRequest<T>(context: RequestContext, work: () => T): T {
  return scopes.run(context, work);
}

/** The request that is being answered; null outside of any, as in jobs and in the pipeline. */
export function currentRequest(): RequestContext | null {
  return scopes.getStore() ?? null;
}

/** Its identifier; a fresh one outside of any. */
export function currentRequestId(): string {
  return currentRequest()?.requestId ?? randomUuid();
}

/**
 * A request of which nothing is known yet. Its identifier is always ours: one that a client chose could be used twice, or
 * be another request's.
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
