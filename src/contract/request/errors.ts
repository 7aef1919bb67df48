// One table of every API error code: its HTTP status and what a person is told.

export const ERROR_CODES = {
  unauthenticated: { status: 401, message: "Sign in, or send a valid credential." },
  forbidden: { status: 403, message: "Your role or tenant does not allow this." },
  not_found: { status: 404, message: "There is no such object." },
  invalid_request: { status: 400, message: "The request is not valid." },
  invalid_time_range: { status: 400, message: "`from` must be earlier than `to`." },
  cursor_expired: { status: 410, message: "The cursor is too old; start again without it." },
  revision_conflict: { status: 412, message: "Someone changed this in the meantime; load it again." },
  provider_disabled: { status: 409, message: "No analyst provider is enabled." },
  provider_rate_limited: { status: 429, message: "The analyst provider limits our rate; try later." },
  provider_unavailable: { status: 503, message: "The analyst provider cannot be reached." },
  provider_response_invalid: { status: 502, message: "The analyst provider gave an unusable answer." },
  budget_exhausted: { status: 429, message: "Today's analyst budget is used up." },
  payload_too_large: { status: 413, message: "The body is too large." },
  source_unavailable: { status: 503, message: "A part this answer needs is not available; try again." },
  internal_error: { status: 500, message: "Something went wrong here; the request id names the log line." },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * The one error that becomes an API answer. `status` differs from the table only where the interface says so
 * (missing `If-Match` 428, idempotency 409 and 422, a rate limit 429).
 */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string = ERROR_CODES[code].message,
    readonly details: Record<string, unknown> = {},
    readonly status: number = ERROR_CODES[code].status,
    /** Seconds for a `Retry-After` header. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}
