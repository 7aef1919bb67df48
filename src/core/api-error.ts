import { ApiError } from "../contract/request/errors.ts";
import type { Logger } from "../observe/log.ts";
import { StoreUnavailable } from "../store/engine/database.ts";

/**
 * What a caller is told of whatever was thrown. Only an ApiError speaks for itself; of anything else the log
 * keeps the text, and the caller learns no more than whether trying again may help.
 */
export function toApiError(error: unknown, requestId: string, log: Logger): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreUnavailable) {
    log.warn("the store is not available", { request_id: requestId, cause: String(error.cause) });
    return new ApiError("source_unavailable", undefined, { reason: "store" }, undefined, 2);
  }
  log.error("a request failed", {
    request_id: requestId,
    error: error instanceof Error ? error.stack ?? error.message : String(error),
  });
  return new ApiError("internal_error");
}
