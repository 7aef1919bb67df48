// The error responses of an operation, derived from its route.

import { ApiError, type ErrorCode, type ErrorDetails } from "../request/errors.ts";
import { MAX_GRAPH_STREAMS } from "../graph/stream.ts";
import { MAX_BODY_BYTES } from "../request/parts.ts";
import type { Route } from "../request/route.ts";

export interface ErrorResponse {
  status: number;
  code: ErrorCode;
  /** Unique among the errors of a status. */
  name: string;
  /** Condition. */
  when: string;
  /** Example message. */
  message: string;
  details: ErrorDetails;
}

/** All error responses of a route, ordered by status. */
export function errorResponsesOf(route: Route): ErrorResponse[] {
  return [
    ...badRequests(route),
    errorResponse("unauthenticated", "unauthenticated", "There is no session, or it has ended."),
    ...forbidden(route),
    ...missing(route),
    ...conflicts(route),
    errorResponse(
      "source_unavailable",
      "rate_limited",
      "The session or the client address exceeds its request rate.",
      {
        status: 429,
        message: "Too many requests in this session; try again in 1 s.",
        details: { reason: "rate_limit", scope: "session" },
      },
    ),
    ...capacity(route),
    errorResponse("internal_error", "internal_error", "Internal error of the service."),
    errorResponse("source_unavailable", "source_unavailable", "The core or its database is unavailable.", {
      details: { reason: "store" },
    }),
  ].sort((a, b) => a.status - b.status);
}

function badRequests(route: Route): ErrorResponse[] {
  const found: ErrorResponse[] = [
    errorResponse(
      "invalid_request",
      "unknown_parameter",
      "A query parameter is not one of the operation's.",
      {
        message: "tenant_id: unknown query parameter",
        details: {
          reason: "unknown_parameter",
          allowed: Object.keys(route.query?.shape ?? {}),
          issues: [{ path: "tenant_id", message: "unknown query parameter" }],
        },
      },
    ),
  ];
  const field = Object.keys(route.query?.shape ?? {})[0];
  if (field !== undefined) {
    found.push(
      errorResponse("invalid_request", "bad_parameter", "A query parameter is malformed or repeated.", {
        message: `${field}: expected a single value, got 2.`,
        details: {
          reason: "repeated_parameter",
          issues: [{ path: field, message: "expected a single value" }],
        },
      }),
    );
  }
  if (route.query && "cursor" in route.query.shape) {
    found.push(
      errorResponse("invalid_request", "bad_cursor", "The cursor was not issued for this list and filter.", {
        message: "cursor: expected a cursor issued for this list and filter",
        details: {
          reason: "invalid_cursor",
          issues: [{ path: "cursor", message: "expected a cursor issued for this list and filter" }],
        },
      }),
    );
  }
  if (route.stream) {
    found.push(
      errorResponse(
        "invalid_request",
        "bad_cursor",
        "The cursor is forged, or that of another tenant or list.",
        {
          message: "since: expected a cursor of this tenant's graph",
          details: {
            reason: "invalid_cursor",
            issues: [{ path: "since", message: "expected a cursor of this tenant's graph" }],
          },
        },
      ),
    );
  }
  if ((route.query && "from" in route.query.shape) || route.windowInBody) {
    found.push(
      errorResponse("invalid_time_range", "bad_window", "The time window is empty or longer than allowed."),
    );
  }
  if (route.body) {
    found.push(errorResponse("invalid_request", "bad_body", "The body does not match the schema.", {
      message: "statsu: unknown field",
      details: { reason: "invalid_field", issues: [{ path: "statsu", message: "unknown field" }] },
    }));
  }
  if (route.write) {
    found.push(errorResponse("invalid_request", "no_key", "`Idempotency-Key` is missing or malformed.", {
      message: "Idempotency-Key: the header is required for writes.",
      details: { reason: "missing_header", header: "Idempotency-Key" },
    }));
  }
  if (route.revisioned) {
    found.push(errorResponse("invalid_request", "bad_if_match", "`If-Match` is not one quoted revision.", {
      message: 'If-Match: expected exactly one quoted revision, such as "3".',
      details: { reason: "invalid_header", header: "If-Match" },
    }));
  }
  return found;
}

function forbidden(route: Route): ErrorResponse[] {
  const found: ErrorResponse[] = [];
  if (route.role !== "reader") {
    found.push(errorResponse("forbidden", "role", `The user does not have the role \`${route.role}\`.`, {
      message: `This operation requires the role ${route.role}.`,
      details: { reason: "role_missing", required_role: route.role },
    }));
  }
  if (route.tenant) {
    found.push(errorResponse("forbidden", "no_tenant", "No tenant is selected.", {
      message: "Select a tenant first.",
      details: { reason: "no_tenant_selected" },
    }));
  }
  if (route.method !== "GET") {
    found.push(
      errorResponse(
        "forbidden",
        "csrf",
        "`X-CSRF-Token` does not match the session, or the request comes from another origin.",
        {
          message: "Refused: the header X-CSRF-Token does not match the session.",
          details: { reason: "csrf" },
        },
      ),
    );
  }
  if (route.choosesTenant) {
    found.push(
      errorResponse("forbidden", "no_role", "The user has no role in the tenant, or it does not exist.", {
        message: "You have no role in this tenant.",
        details: { reason: "tenant_not_permitted" },
      }),
    );
  }
  return found;
}

function missing(route: Route): ErrorResponse[] {
  if (!route.path.includes("{") && !route.bodyNamesObject && !route.queryNamesObject) return [];
  return [errorResponse("not_found", "not_found", "The object does not exist in the tenant.")];
}

function capacity(route: Route): ErrorResponse[] {
  if (!route.stream) return [];
  return [errorResponse("source_unavailable", "streams", "All streams are in use.", {
    status: 429,
    message: `All ${MAX_GRAPH_STREAMS} streams are in use; try again in 5 s.`,
    details: { reason: "streams", limit: MAX_GRAPH_STREAMS },
  })];
}

function conflicts(route: Route): ErrorResponse[] {
  const found: ErrorResponse[] = [];
  if (route.query && "cursor" in route.query.shape) {
    found.push(errorResponse("cursor_expired", "cursor_expired", "The cursor is older than 24 hours."));
  }
  if (route.body) {
    found.push(errorResponse("invalid_request", "media_type", "The body is not declared as JSON.", {
      status: 415,
      message: "Content-Type: expected application/json.",
      details: { reason: "content_type", header: "Content-Type" },
    }));
    found.push(errorResponse("payload_too_large", "payload_too_large", "The body is larger than 1 MiB.", {
      details: { limit_bytes: MAX_BODY_BYTES },
    }));
  }
  if (route.revisioned) {
    found.push(
      errorResponse(
        "invalid_request",
        "illegal_transition",
        "The object's present state does not allow the change.",
        {
          status: 409,
          message: "status: expected an active suppression; this one is revoked",
          details: { reason: "illegal_transition" },
        },
      ),
    );
  }
  if (route.write) {
    found.push(
      errorResponse("invalid_request", "key_reused", "The key was already used for a different request.", {
        status: 422,
        message: "This Idempotency-Key was already used for a different request.",
        details: { reason: "idempotency_mismatch" },
      }),
    );
  }
  if (route.asksModel) {
    found.push(
      errorResponse("provider_disabled", "provider_disabled", "The tenant has no analyst provider."),
      ...(route.write || route.awaitsModel
        ? [errorResponse(
          "budget_exhausted",
          "budget_exhausted",
          "The worst cost does not fit into what is left of the day's budget.",
          { details: { limit_microusd: 1_000_000, used_microusd: 998_000, worst_microusd: 2_414 } },
        )]
        : []),
    );
  }
  if (route.awaitsModel) {
    found.push(
      errorResponse(
        "provider_rate_limited",
        "provider_rate_limited",
        "The provider limits the request rate, or the tenant asks it already.",
      ),
      errorResponse("provider_unavailable", "provider_unavailable", "The provider cannot be reached."),
      errorResponse(
        "provider_response_invalid",
        "provider_response_invalid",
        "The answer has no valid filter; it was billed if the provider bills it.",
      ),
    );
  }
  if (route.oneAtATime) {
    found.push(
      errorResponse("invalid_request", "open", "An earlier run for the incident is queued or running.", {
        status: 409,
        message: "incident_id: a run for this incident is queued or running; wait for it or cancel it",
        details: { reason: "duplicate" },
      }),
    );
  }
  if (route.write && route.servedBy === "core") {
    found.push(
      errorResponse(
        "invalid_request",
        "in_progress",
        "The first request with this key is still in progress.",
        {
          status: 409,
          message: "A request with this Idempotency-Key is still in progress; retry.",
          details: { reason: "idempotency_in_progress" },
        },
      ),
    );
  }
  if (route.revisioned) {
    found.push(
      errorResponse("revision_conflict", "revision_conflict", "The object has a different revision.", {
        details: { revision: 4 },
      }),
      errorResponse("invalid_request", "no_if_match", "`If-Match` is missing.", {
        status: 428,
        message: 'If-Match: the header is required for this write, with a quoted revision such as "3".',
        details: { reason: "missing_header", header: "If-Match" },
      }),
    );
  }
  return found;
}

/** Status, message and reason are those of the code unless `shown` has others. */
function errorResponse(
  code: ErrorCode,
  name: string,
  when: string,
  shown: Partial<Pick<ErrorResponse, "status" | "message">> & { details?: Partial<ErrorDetails> } = {},
): ErrorResponse {
  const { status, message, details } = shown;
  const error = new ApiError(code, message, details as ErrorDetails, status);
  return { status: error.status, code, name, when, message: error.message, details: error.details };
}
