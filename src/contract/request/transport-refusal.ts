import { MAX_HEADER_BYTES, MAX_TARGET_LENGTH } from "../../kit/net/listen.ts";
import { randomUuid } from "../../kit/id.ts";
import { errorEnvelope } from "./envelope.ts";
import { ApiError } from "./errors.ts";

/** `Retry-After`, in seconds. */
const RETRY_AFTER = 1;

const ERRORS: Readonly<Record<400 | 408 | 414 | 431 | 503, ApiError>> = {
  400: new ApiError("invalid_request", "The request is not valid HTTP.", { reason: "malformed" }),
  408: new ApiError("invalid_request", "The request arrived too slowly.", { reason: "timeout" }, 408),
  414: new ApiError(
    "invalid_request",
    `The request target is too long: expected at most ${MAX_TARGET_LENGTH} bytes.`,
    { reason: "target_too_long", limit_bytes: MAX_TARGET_LENGTH },
    414,
  ),
  431: new ApiError(
    "invalid_request",
    `The headers are too large: expected at most ${MAX_HEADER_BYTES} bytes.`,
    { reason: "headers_too_large", limit_bytes: MAX_HEADER_BYTES },
    431,
  ),
  503: new ApiError(
    "source_unavailable",
    "Too many concurrent requests; retry later.",
    { reason: "capacity" },
    503,
    RETRY_AFTER,
  ),
};

/** The error response that a listener sends to a client it rejects before routing. */
export function transportRefusal(
  status: keyof typeof ERRORS,
): { headers: Record<string, string>; body: string } {
  const error = ERRORS[status];
  const requestId = randomUuid();
  return {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": requestId,
      ...(error.retryAfter === null ? {} : { "Retry-After": String(error.retryAfter) }),
    },
    body: errorEnvelope(error, requestId),
  };
}
