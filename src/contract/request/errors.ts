// All API error codes with their HTTP status and default message.

export const ERROR_CODES = {
  unauthenticated: { status: 401, message: "Authentication required: sign in or send a valid credential." },
  forbidden: { status: 403, message: "Your role or tenant does not permit this operation." },
  not_found: { status: 404, message: "The object does not exist." },
  invalid_request: { status: 400, message: "The request is invalid." },
  invalid_time_range: { status: 400, message: "`from` must be earlier than `to`." },
  cursor_expired: { status: 410, message: "The cursor has expired; restart from the first page." },
  revision_conflict: { status: 412, message: "The object was changed in the meantime; reload it and retry." },
  provider_disabled: { status: 409, message: "No analyst provider is enabled." },
  provider_rate_limited: {
    status: 429,
    message: "The analyst provider is limiting the request rate; retry later.",
  },
  provider_unavailable: { status: 503, message: "The analyst provider is unreachable." },
  provider_response_invalid: { status: 502, message: "The analyst provider returned an invalid response." },
  budget_exhausted: { status: 429, message: "Today's analyst budget is exhausted." },
  payload_too_large: { status: 413, message: "The request body is too large." },
  source_unavailable: { status: 503, message: "A required component is unavailable; retry later." },
  internal_error: { status: 500, message: "Internal error; the request ID identifies the log entry." },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * The only error type that becomes an API response. `status` differs from the table only where the interface
 * defines it (missing `If-Match` 428, idempotency 409 and 422, rate limit 429).
 */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string = ERROR_CODES[code].message,
    readonly details: Record<string, unknown> = {},
    readonly status: number = ERROR_CODES[code].status,
    /** Value of the `Retry-After` header, in seconds. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}
