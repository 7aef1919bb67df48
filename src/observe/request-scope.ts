import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestContext } from "../contract/request/context.ts";
import { randomUuid } from "../kit/id.ts";

/** Whose work is under way, and when its answer is due. */
export interface RequestWork {
  /** The person, or what else identifies the sender. */
  person: string;
  /** Aborts when the client is gone; null for work that is finished all the same. */
  signal: AbortSignal | null;
  /** When the answer is due, by `performance.now()`; null for a download or a stream. */
  answerBy: number | null;
}

interface Scope {
  context: RequestContext | null;
  work: RequestWork | null;
}

/** What asynchronous work belongs to: for log lines, audit, and its share of what is scarce. */
const scopes = new AsyncLocalStorage<Scope>();

/** Runs `work` as part of a request. Facts learned later are written to `context`. */
export function inRequest<T>(context: RequestContext, work: () => T): T {
  return scopes.run({ context, work: null }, work);
}

/** Runs work that several requests may wait for, so that it belongs to none of them. */
export function outsideRequest<T>(work: () => T): T {
  return scopes.run({ context: null, work: null }, work);
}

/** The current request; null outside of one, as in jobs and in the pipeline. */
export function currentRequest(): RequestContext | null {
  return scopes.getStore()?.context ?? null;
}

/** States whose work the current request is, once the sender is known. */
export function describeWork(work: RequestWork): void {
  const scope = scopes.getStore();
  if (scope !== undefined) scope.work = work;
}

/** Null outside of a request, and before `describeWork`. */
export function currentWork(): RequestWork | null {
  return scopes.getStore()?.work ?? null;
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
