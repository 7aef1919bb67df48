import { ApiError } from "../contract/request/errors.ts";
import type { Logger } from "../observe/log.ts";
import { CallerGone, NoPlace, StoreUnavailable } from "../store/engine/database.ts";

/** Searches take at most some seconds. */
const BUSY_RETRY_SECONDS = 3;

/**
 * Maps a thrown value to the error that the caller receives. Only an ApiError passes its text on; details of
 * anything else go to the log, and the caller learns only whether a retry may help.
 */
export function toApiError(error: unknown, requestId: string, log: Logger): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CallerGone) {
    return new ApiError("source_unavailable", "The client closed the request.", { reason: "client_gone" });
  }
  if (error instanceof NoPlace) {
    const message = "Too many requests are waiting, yours or your tenant's among them; retry later.";
    return new ApiError("source_unavailable", message, { reason: "busy" }, 429, BUSY_RETRY_SECONDS);
  }
  if (error instanceof StoreUnavailable) {
    log.warn("store unavailable", { request_id: requestId, cause: String(error.cause) });
    return new ApiError("source_unavailable", undefined, { reason: "store" }, undefined, 2);
  }
  log.error("request failed", {
    request_id: requestId,
    error: error instanceof Error ? error.stack ?? error.message : String(error),
  });
  return new ApiError("internal_error");
}
