// Which errors an operation can answer with, from what the route table says of it.

import { ERROR_CODES, type ErrorCode } from "../request/errors.ts";
import { MAX_BODY_BYTES } from "../request/parts.ts";
import type { Route } from "../request/route.ts";

export interface Refusal {
  status: number;
  code: ErrorCode;
  /** Unique among the refusals of a status. */
  name: string;
  /** When it is given. */
  when: string;
  /** As it might be answered. */
  message: string;
  details: Record<string, unknown>;
}

/** Every error of a route, by status. */
export function refusalsOf(route: Route): Refusal[] {
  return [
    ...badRequests(route),
    refusal("unauthenticated", "unauthenticated", "No session, or it has ended."),
    ...forbidden(route),
    ...missing(route),
    ...conflicts(route),
    refusal("source_unavailable", "rate_limited", "Too many requests in the session, or from the address.", {
      status: 429,
      message: "Too many requests in this session; try again in 1 s.",
      details: { reason: "rate_limit", scope: "session" },
    }),
    refusal("internal_error", "internal_error", "A fault of the service."),
    refusal("source_unavailable", "source_unavailable", "The core or its database does not answer.", {
      details: { reason: "store" },
    }),
  ].sort((a, b) => a.status - b.status);
}

function badRequests(route: Route): Refusal[] {
  const found: Refusal[] = [];
  const field = Object.keys(route.query?.shape ?? {})[0];
  if (field !== undefined) {
    found.push(
      refusal("invalid_request", "bad_parameter", "A query parameter is malformed, or given twice.", {
        message: `${field}: expected once, was given 2 times.`,
        details: { issues: [{ path: field, message: "expected once" }] },
      }),
    );
  }
  if (route.query && "cursor" in route.query.shape) {
    found.push(refusal("invalid_request", "bad_cursor", "The cursor is not one of this list and filter.", {
      message: "cursor: expected a cursor of this list and filter",
      details: { issues: [{ path: "cursor", message: "expected a cursor of this list and filter" }] },
    }));
  }
  if (route.query && "from" in route.query.shape) {
    found.push(refusal("invalid_time_range", "bad_window", "The window is empty, or longer than allowed."));
  }
  if (route.body) {
    found.push(refusal("invalid_request", "bad_body", "The body is not what is expected.", {
      message: "statsu: expected no such field",
      details: { issues: [{ path: "statsu", message: "expected no such field" }] },
    }));
  }
  if (route.write) {
    found.push(refusal("invalid_request", "no_key", "`Idempotency-Key` is missing or malformed.", {
      message: "A write needs the header Idempotency-Key.",
      details: { header: "Idempotency-Key" },
    }));
  }
  if (route.revisioned) {
    found.push(refusal("invalid_request", "bad_if_match", "`If-Match` is not one quoted revision.", {
      message: 'If-Match: expected exactly one quoted revision, such as "3".',
      details: { header: "If-Match" },
    }));
  }
  return found;
}

function forbidden(route: Route): Refusal[] {
  const found: Refusal[] = [];
  if (route.role !== "reader") {
    found.push(refusal("forbidden", "role", `Without the role \`${route.role}\`.`, {
      message: `This needs the role ${route.role}.`,
      details: { required_role: route.role },
    }));
  }
  if (route.tenant) {
    found.push(refusal("forbidden", "no_tenant", "No tenant is selected.", {
      message: "Select a tenant first.",
      details: { reason: "no_tenant_selected" },
    }));
  }
  if (route.method !== "GET") {
    found.push(refusal("forbidden", "csrf", "`X-CSRF-Token` is not the session's, or the page is not ours.", {
      message: "Refused: the header X-CSRF-Token does not match the session.",
      details: { reason: "csrf" },
    }));
  }
  if (route.choosesTenant) {
    found.push(
      refusal("forbidden", "no_role", "A tenant in which you have no role, or that does not exist.", {
        message: "You have no role in this tenant.",
      }),
    );
  }
  return found;
}

function missing(route: Route): Refusal[] {
  if (!route.path.includes("{") && !route.bodyNamesObject) return [];
  return [refusal("not_found", "not_found", "There is no such object in the tenant.")];
}

function conflicts(route: Route): Refusal[] {
  const found: Refusal[] = [];
  if (route.query && "cursor" in route.query.shape) {
    found.push(refusal("cursor_expired", "cursor_expired", "The cursor is older than a day."));
  }
  if (route.body) {
    found.push(refusal("payload_too_large", "payload_too_large", "The body is larger than 1 MiB.", {
      details: { max_bytes: MAX_BODY_BYTES },
    }));
  }
  if (route.write) {
    found.push(refusal("invalid_request", "key_reused", "The key was used for another request.", {
      status: 422,
      message: "This Idempotency-Key was used for another request.",
      details: { reason: "idempotency_mismatch" },
    }));
  }
  if (route.write && route.servedBy === "core") {
    found.push(
      refusal("invalid_request", "in_progress", "The first request with this key is being answered.", {
        status: 409,
        message: "A request with this Idempotency-Key is being answered; try again.",
        details: { reason: "idempotency_in_progress" },
      }),
    );
  }
  if (route.revisioned) {
    found.push(
      refusal("revision_conflict", "revision_conflict", "The object has another revision now.", {
        details: { revision: 4 },
      }),
      refusal("invalid_request", "no_if_match", "`If-Match` is missing.", {
        status: 428,
        message: 'This write needs the header If-Match: "<revision>".',
        details: { header: "If-Match" },
      }),
    );
  }
  return found;
}

function refusal(
  code: ErrorCode,
  name: string,
  when: string,
  { status = ERROR_CODES[code].status, message = ERROR_CODES[code].message, details = {} }: Partial<Refusal> =
    {},
): Refusal {
  return { status, code, name, when, message, details };
}
