import { ApiError } from "../contract/request/errors.ts";
import type { Reason } from "../contract/request/reasons.ts";

/** `invalid_request` for one parameter or body field, with the same details as a schema error. */
export function fieldError(path: string, message: string, reason: Reason = "invalid_field"): ApiError {
  return new ApiError("invalid_request", `${path}: ${message}`, { reason, issues: [{ path, message }] });
}

/** 409 for a decision or change that the object's present state does not allow; the request itself is valid. */
export function illegalTransition(
  path: string,
  message: string,
  details: Record<string, unknown> = {},
): ApiError {
  return new ApiError("invalid_request", `${path}: ${message}`, {
    reason: "illegal_transition",
    ...details,
    issues: [{ path, message }],
  }, 409);
}
