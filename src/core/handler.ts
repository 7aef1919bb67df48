import type { z } from "@hono/zod-openapi";
import type { Role } from "../contract/record/kinds.ts";
import type { Download, EventStream } from "../contract/request/envelope.ts";
import type { OperationId, ROUTES } from "../contract/routes.ts";
import type { Tx } from "../store/engine/database.ts";

/** The authenticated caller: taken from verified claims, never from input a client controls. */
export interface Caller {
  tenantId: string;
  subject: string;
  /** Sorted, never empty. */
  roles: readonly Role[];
}

/** A request for a read operation; the route's schemas have parsed `query` and `body`. */
export interface ReadCall<Q, B> {
  caller: Caller;
  /** Path parameters, decoded; each 1 to 128 characters. */
  params: Record<string, string>;
  query: Q;
  body: B;
  /** The header `Last-Event-ID`; null if it is absent or empty. */
  lastEventId: string | null;
  /** Microseconds. */
  now: number;
  requestId: string;
}

/** A request for a write operation. */
export interface WriteCall<Q, B> extends ReadCall<Q, B> {
  /** The tenant transaction that also commits the idempotency result. */
  tx: Tx;
  /** Runs `work` after the commit; not if the transaction fails, or if its answer is that of an earlier request. */
  onCommitted(work: () => void): void;
}

/** A write to a revisioned resource. */
export interface RevisionedCall<Q, B> extends WriteCall<Q, B> {
  /** Revision from `If-Match`. */
  ifMatch: number;
}

/** An answer as the router serializes it, whatever the operation. */
export interface Answer {
  /** Default: the route's status. */
  status?: number;
  /** Of a route that is a download: a `Download`; of one that is a stream: an `EventStream`. */
  data: unknown;
  /** Collections: the next page's cursor, null on the last page. */
  nextCursor?: string | null;
  /** Collections: further members of the body, which describe the page. */
  beside?: Record<string, unknown>;
  /** For the `ETag` header: the revision, or of a conditional read a tag of the content. */
  etag?: number | string;
  /** Writes: former values of what changed, under their names in the body or in `data`; for the audit. */
  before?: Record<string, unknown>;
}

/** The operations that the core serves. */
type CoreOperationId = {
  [Id in OperationId]: (typeof ROUTES)[Id]["servedBy"] extends "core" ? Id : never;
}[OperationId];

type InputOf<Route, Part extends "query" | "body"> = Route extends
  { [P in Part]: infer Schema extends z.ZodType } ? z.output<Schema> : Record<string, never>;

type CallOf<Route, Q, B> = Route extends { revisioned: true } ? RevisionedCall<Q, B>
  : Route extends { write: true } ? WriteCall<Q, B>
  : ReadCall<Q, B>;

type AnswerOf<Route> =
  & (Route extends { download: unknown } ? { data: Download; nextCursor?: undefined }
    : Route extends { stream: unknown } ? { data: EventStream; nextCursor?: undefined }
    : Route extends { response: infer Schema extends z.ZodType } ? BodyOf<z.output<Schema>>
    : never)
  & (Route extends { conditional: true } ? { etag: string }
    : Route extends { revisioned: true } | { tagged: true } ? { etag: number }
    : { etag?: number })
  & (Route extends { write: true } ? { before?: Record<string, unknown> } : { before?: undefined })
  & (Route extends { alsoStatus: unknown } ? { status?: number } : { status?: undefined });

type BodyOf<Response> = Response extends { data: infer Data; next_cursor: unknown }
  ? { data: Data; nextCursor: string | null } & BesideOf<Omit<Response, "data" | "meta" | "next_cursor">>
  : Response extends { data: infer Data } ? { data: Data; nextCursor?: undefined }
  : never;

type BesideOf<Rest> = keyof Rest extends never ? { beside?: undefined } : { beside: Rest };

/**
 * Handles one operation, typed by its entry in the route table. Throws ApiError for an error response;
 * anything else thrown becomes an internal error. A write may run again when its transaction is retried, so
 * it must act through `tx` only.
 */
type Handler<Id extends CoreOperationId> = (
  call: CallOf<
    (typeof ROUTES)[Id],
    InputOf<(typeof ROUTES)[Id], "query">,
    InputOf<(typeof ROUTES)[Id], "body">
  >,
) => Promise<AnswerOf<(typeof ROUTES)[Id]>>;

export type Handlers = { [Id in CoreOperationId]: Handler<Id> };
