// The room that requests under way have together, in both layers: how many there are at once, and the bytes of their
// bodies.

import type { Context, MiddlewareHandler } from "hono";
import type { Capacity, CapacityShare } from "../../kit/net/capacity.ts";
import { peerOf } from "../../kit/net/listen.ts";
import { NoRoom, readBody } from "../../kit/net/read-body.ts";
import { errorResponse } from "./envelope.ts";
import { ApiError } from "./errors.ts";
import { MAX_BODY_BYTES } from "./parts.ts";

const SHARE = "requestShare";
/** Seconds. */
const RETRY_AFTER = 1;

/** Lets a request in where there is room for one more, until its answer is out or its client gone. */
export function requestRoom(capacity: Capacity, requestId: () => string): MiddlewareHandler {
  return async (c, next) => {
    const share = capacity.enter();
    if (share === null) return errorResponse(noRoom(), requestId());
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

/** The body of a request that `requestRoom` let in; see `readApiBody`. */
export function readBodyOf(c: Context): Promise<Uint8Array<ArrayBuffer>> {
  const share: CapacityShare | undefined = c.get(SHARE);
  return readApiBody(c.req.raw, share);
}

/**
 * The exact bytes of a request's body.
 *
 * @throws ApiError 413 over the limit, 400 for a compressed body and for one that ends early, 503 without room for it.
 */
export async function readApiBody(
  request: Request,
  share?: CapacityShare,
): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = request.headers.get("content-encoding") ?? "";
  if (request.body !== null && !/^(identity)?$/i.test(encoding.trim())) {
    throw new ApiError("invalid_request", "Expected a body that is not compressed.", {
      header: "Content-Encoding",
    });
  }
  let body: Uint8Array<ArrayBuffer> | null;
  try {
    body = await readBody(request, MAX_BODY_BYTES, share && ((bytes) => share.hold(bytes)));
  } catch (error) {
    if (error instanceof NoRoom) throw noRoom();
    // Nobody is left to read this, but a log need not take it for a fault of ours.
    throw new ApiError("invalid_request", "The body ended early.", { reason: "incomplete" });
  }
  if (body === null) throw new ApiError("payload_too_large", undefined, { max_bytes: MAX_BODY_BYTES });
  return body;
}

function noRoom(): ApiError {
  return new ApiError(
    "source_unavailable",
    "Too many requests are under way; try again.",
    { reason: "capacity" },
    503,
    RETRY_AFTER,
  );
}
