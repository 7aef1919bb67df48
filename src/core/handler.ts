import type { z } from "@hono/zod-openapi";
import type { Role } from "../contract/record/kinds.ts";
import type { OperationId, ROUTES } from "../contract/routes.ts";
import type { Tx } from "../store/engine/database.ts";

/** Who asks: taken from verified claims, never from anything a client chose. */
export interface Caller {
  tenantId: string;
  subject: string;
  /** Sorted, never empty. */
  roles: readonly Role[];
}

export interface Call<Q, B> {
  caller: Caller;
  /** Path parameters, decoded; each 1 to 128 characters. */
  params: Record<string, string>;
  /** The query as the route's schema read it; parameters the route does not name are absent. */
  query: Q;
  body: B;
  /** Revision from `If-Match`; a number on revisioned writes, else null. */
  ifMatch: number | null;
  /** Writes: the tenant transaction that also commits the idempotency result. Reads: null. */
  tx: Tx | null;
  /** Microseconds. */
  now: number;
  requestId: string;
}

export interface Answer {
  /** Default: the route's status. */
  status?: number;
  data: unknown;
  /** Collections: the next page's cursor, null on the last page. */
  nextCursor?: string | null;
  /** Revision for the `ETag` header. */
  etag?: number;
  /** Writes: the former values of what changed, by the names that the body or `data` has for them; for the audit. */
  before?: Record<string, unknown>;
}

type OutputOf<Route, Part extends "query" | "body"> = Route extends
  { [P in Part]: infer Schema extends z.ZodType } ? z.output<Schema> : Record<string, never>;

/** The operations that the core serves. */
type CoreOperationId = {
  [Id in OperationId]: (typeof ROUTES)[Id]["servedBy"] extends "core" ? Id : never;
}[OperationId];

/**
 * Answers one operation. Throws ApiError for an answer that is an error; anything else thrown is an internal
 * error. A write may be called again when its transaction is retried, so it acts through `tx` only.
 */
type Handler<Id extends CoreOperationId> = (
  call: Call<OutputOf<(typeof ROUTES)[Id], "query">, OutputOf<(typeof ROUTES)[Id], "body">>,
) => Promise<Answer>;

export type Handlers = { [Id in CoreOperationId]: Handler<Id> };
