import { ApiError } from "../contract/request/errors.ts";

/** `invalid_request` for one parameter or body field, with the same details as a schema error. */
export function fieldError(path: string, message: string): ApiError {
  return new ApiError("invalid_request", `${path}: ${message}`, { issues: [{ path, message }] });
}
