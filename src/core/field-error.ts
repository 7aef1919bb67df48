import { ApiError } from "../contract/request/errors.ts";

/** `invalid_request` about one parameter or body field, with the details that a schema's refusal has. */
export function badField(path: string, message: string): ApiError {
  return new ApiError("invalid_request", `${path}: ${message}`, { issues: [{ path, message }] });
}
