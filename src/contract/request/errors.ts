import type { Reason } from "./reasons.ts";

/**
 * All API error codes with their HTTP status, default message and default reason. A code without a default
 * reason covers several causes, so that each refusal states its own.
 */
export const ERROR_CODES = {
  unauthenticated: {
    status: 401,
    reason: "unauthenticated",
    message: "Authentication required: sign in or send a valid credential.",
  },
  forbidden: { status: 403, reason: null, message: "Your role or tenant does not permit this operation." },
  not_found: { status: 404, reason: "no_such_object", message: "The object does not exist." },
  invalid_request: { status: 400, reason: null, message: "The request is invalid." },
  invalid_time_range: { status: 400, reason: "empty_window", message: "`from` must be earlier than `to`." },
  cursor_expired: {
    status: 410,
    reason: "cursor_expired",
    message: "The cursor has expired; restart from the first page.",
  },
  revision_conflict: {
    status: 412,
    reason: "revision_conflict",
    message: "The object was changed in the meantime; reload it and retry.",
  },
  provider_disabled: { status: 409, reason: "provider_disabled", message: "No analyst provider is enabled." },
  provider_rate_limited: {
    status: 429,
    reason: "provider_rate_limited",
    message: "The analyst provider is limiting the request rate; retry later.",
  },
  provider_unavailable: {
    status: 503,
    reason: "provider_unavailable",
    message: "The analyst provider is unreachable.",
  },
  provider_response_invalid: {
    status: 502,
    reason: "provider_response_invalid",
    message: "The analyst provider returned an invalid response.",
  },
  budget_exhausted: {
    status: 429,
    reason: "budget_exhausted",
    message: "Today's analyst budget is exhausted.",
  },
  payload_too_large: { status: 413, reason: "body_too_large", message: "The request body is too large." },
  source_unavailable: {
    status: 503,
    reason: null,
    message: "A required component is unavailable; retry later.",
  },
  internal_error: {
    status: 500,
    reason: "internal_error",
    message: "Internal error; the request ID identifies the log entry.",
  },
} as const satisfies Record<string, { status: number; reason: Reason | null; message: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
type Defaulted = {
  [Code in ErrorCode]: (typeof ERROR_CODES)[Code]["reason"] extends null ? never : Code;
}[ErrorCode];

/** `details` of an error; the other members depend on the reason. */
export type ErrorDetails = { readonly reason: Reason } & Readonly<Record<string, unknown>>;

/**
 * The only error type that becomes an API response. `status` differs from the table only where the interface
 * defines it (missing `If-Match` 428, idempotency 409 and 422, rate limit 429).
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly status: number;
  /** Value of the `Retry-After` header, in seconds. */
  readonly retryAfter: number | null;

  /** `details.reason` is required unless the code has a default reason. */
  constructor(
    code: Defaulted,
    message?: string,
    details?: Partial<ErrorDetails>,
    status?: number,
    retryAfter?: number | null,
  );
  constructor(
    code: ErrorCode,
    message: string | undefined,
    details: ErrorDetails,
    status?: number,
    retryAfter?: number | null,
  );
  constructor(
    code: ErrorCode,
    message: string = ERROR_CODES[code].message,
    details: Partial<ErrorDetails> = {},
    status: number = ERROR_CODES[code].status,
    retryAfter: number | null = null,
  ) {
    super(message);
    this.code = code;
    // The overloads accept details without a reason only for codes that have a default.
    this.details = { reason: ERROR_CODES[code].reason, ...details } as ErrorDetails;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
