import type { z } from "@hono/zod-openapi";
import type { Role } from "../record/kinds.ts";

/**
 * One operation of the API. Web and core both read this table: the web layer to check role, form and headers
 * before it signs, the core to check all of it again and to serve it; the OpenAPI document is made from it.
 */
export interface Route {
  method: "GET" | "POST" | "PATCH";
  /** OpenAPI path template. */
  path: string;
  summary: string;
  /** What else a client should know; Markdown. */
  description?: string;
  tag: string;
  /** The role both layers require; any role includes `reader`. */
  role: Role;
  /** `core`: proxied by a signed request. `web`: answered by the web layer itself. */
  servedBy: "core" | "web";
  /** Needs a selected tenant. */
  tenant: boolean;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body names an object by its id, so that the answer may be 404. */
  bodyNamesObject?: boolean;
  /** The body names a tenant, in which the person may have no role. */
  choosesTenant?: boolean;
  /** A write needs `Idempotency-Key`. */
  write: boolean;
  /** A write on a revisioned resource also needs `If-Match`, and the answer carries `ETag`. */
  revisioned: boolean;
  /** The answer is an object with a revision and carries `ETag`, though it is not written on this path. */
  tagged?: boolean;
  /** Answer status and body on success. */
  status: number;
  response: z.ZodType;
  /** Further statuses that carry the same body (health answers 503 with a report). */
  alsoStatus?: number[];
}

/** What most reads have in common. */
export const read = {
  method: "GET",
  role: "reader",
  servedBy: "core",
  tenant: true,
  write: false,
  revisioned: false,
  status: 200,
} as const;
/** What most changes of an object have in common. */
export const patch = {
  method: "PATCH",
  role: "analyst",
  servedBy: "core",
  tenant: true,
  write: true,
  revisioned: true,
  status: 200,
} as const;
