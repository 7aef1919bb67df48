import type { z } from "@hono/zod-openapi";
import type { Role } from "../record/kinds.ts";

/**
 * One operation of the API. The web layer uses it to check role, input and headers before signing; the core
 * checks again and serves it; the OpenAPI document is generated from it.
 */
export interface Route {
  method: "GET" | "POST" | "PUT" | "PATCH";
  /** OpenAPI path template. */
  path: string;
  summary: string;
  /** Further information for clients; Markdown. */
  description?: string;
  tag: string;
  /** The role both layers require; any role includes `reader`. */
  role: Role;
  /** `core`: forwarded as a signed request. `web`: handled by the web layer itself. */
  servedBy: "core" | "web";
  /** Requires a selected tenant. */
  tenant: boolean;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body may name a time window. */
  windowInBody?: boolean;
  /** The body refers to an object by id, so the operation may answer 404. */
  bodyNamesObject?: boolean;
  /** This query parameter refers to an object by id, so the operation may answer 404. */
  queryNamesObject?: string;
  /** Needs a language model, so the operation may answer `provider_disabled`, and a write `budget_exhausted`. */
  asksModel?: boolean;
  /** Answers when the model has answered, so the operation may also answer the errors of a provider. */
  awaitsModel?: boolean;
  /** A write that answers 409 while an object of an earlier one is open. */
  oneAtATime?: boolean;
  /** The body names a tenant in which the user may have no role. */
  choosesTenant?: boolean;
  /** A write; requires `Idempotency-Key`. */
  write: boolean;
  /** A write to a revisioned resource; also requires `If-Match`, and the response has an `ETag`. */
  revisioned: boolean;
  /** The response is an object with a revision and has an `ETag`, although it is not written on this path. */
  tagged?: boolean;
  /** A read whose answer has an `ETag` of its content; an equal `If-None-Match` is answered with 304. */
  conditional?: boolean;
  /** Status and body on success. */
  status: number;
  response: z.ZodType;
  /** The body is a file that is streamed, instead of an envelope; `types`: its media types, JSON without it. */
  download?: true | {
    types: readonly string[];
    /** A document that browsers show in a tab of its own, without scripts and in an origin of its own. */
    document?: true;
  };
  /** The body is a stream of server-sent events, each with JSON: the name of each event's schema. */
  stream?: Readonly<Record<string, string>>;
  /** Further statuses with the same body (health answers 503 with a report). */
  alsoStatus?: number[];
}

/** Defaults of reads. */
export const read = {
  method: "GET",
  role: "reader",
  servedBy: "core",
  tenant: true,
  write: false,
  revisioned: false,
  status: 200,
} as const;
/** Defaults of changes to a revisioned object. */
export const patch = {
  method: "PATCH",
  role: "analyst",
  servedBy: "core",
  tenant: true,
  write: true,
  revisioned: true,
  status: 200,
} as const;
