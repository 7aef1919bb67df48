// Limits for concurrent requests, in both layers: their number and the total size of their bodies.

import type { Context, MiddlewareHandler } from "hono";
import type { Capacity, CapacityShare } from "../../kit/net/capacity.ts";
import { peerOf } from "../../kit/net/listen.ts";
import { NoRoom, readBody } from "../../kit/net/read-body.ts";
import { errorResponse } from "./envelope.ts";
import { ApiError } from "./errors.ts";
import { MAX_BODY_BYTES } from "./parts.ts";

const SHARE = "requestShare";
/** `Retry-After`, in seconds. */
const RETRY_AFTER = 1;

/**
 * Admits a request while capacity is left; it counts until its response is sent or the client disconnects.
 *
 * @param capacityOf The capacity that a request uses.
 */
export function limitConcurrency(
  capacityOf: (c: Context) => Capacity,
  requestId: () => string,
): MiddlewareHandler {
  return async (c, next) => {
    const share = capacityOf(c).enter();
    if (share === null) return errorResponse(capacityExhausted(), requestId());
    c.set(SHARE, share);
    const peer = peerOf(c.env);
    peer?.onEnd(() => share.leave());
    try {
      await next();
    } finally {
      if (peer === null) share.leave();
    }
  };
}

/** Reads the body of a request admitted by `limitConcurrency`; see `readApiBody`. */
export function readBodyOf(c: Context): Promise<Uint8Array<ArrayBuffer>> {
  const share: CapacityShare | undefined = c.get(SHARE);
  return readApiBody(c.req.raw, share);
}

/**
 * Returns the exact bytes of a request's body.
 *
 * @throws ApiError 413 over the limit, 400 for a compressed or truncated body, 503 if capacity is exhausted
 */
export async function readApiBody(
  request: Request,
  share?: CapacityShare,
): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = request.headers.get("content-encoding") ?? "";
  if (request.body !== null && !/^(identity)?$/i.test(encoding.trim())) {
    throw new ApiError("invalid_request", "Content-Encoding: expected an uncompressed body.", {
      reason: "content_encoding",
      header: "Content-Encoding",
    });
  }
  let body: Uint8Array<ArrayBuffer> | null;
  try {
    body = await readBody(request, MAX_BODY_BYTES, share && ((bytes) => share.hold(bytes)));
  } catch (error) {
    if (error instanceof NoRoom) throw capacityExhausted();
    // The client is gone, but the log must not record this as an internal error.
    throw new ApiError("invalid_request", "The body ended early.", { reason: "incomplete" });
  }
  if (body === null) throw new ApiError("payload_too_large", undefined, { limit_bytes: MAX_BODY_BYTES });
  return body;
}

function capacityExhausted(): ApiError {
  return new ApiError(
    "source_unavailable",
    "Too many concurrent requests; retry later.",
    { reason: "capacity" },
    503,
    RETRY_AFTER,
  );
}
