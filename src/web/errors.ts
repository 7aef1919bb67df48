import { ApiError } from "../contract/request/errors.ts";
import { messageOf } from "../kit/errors.ts";
import type { Logger } from "../observe/log.ts";

/** The core gave no usable answer: it is down, too slow, or without its database. */
export class CoreUnavailable extends Error {}

/** The error that a caller sees for any thrown value; the log has the rest. */
export function toApiError(error: unknown, requestId: string, log: Logger): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CoreUnavailable) {
    // A browser that leaves while the core works cancels its request; the core is fine.
    const level = error.cause instanceof Error && error.cause.name === "AbortError" ? "debug" : "warn";
    log[level]("core unreachable", {
      request_id: requestId,
      cause: messageOf(error.cause ?? error),
    });
    return new ApiError("source_unavailable", undefined, { reason: "core" }, undefined, 2);
  }
  log.error("request failed", {
    request_id: requestId,
    error: error instanceof Error ? error.stack ?? error.message : String(error),
  });
  return new ApiError("internal_error");
}
