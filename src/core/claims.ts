import { ApiError } from "../contract/errors.ts";
import { readBody } from "../kit/read-body.ts";
import type { Clock } from "../kit/clock.ts";
import { MAX_BODY_BYTES } from "../contract/request-parts.ts";
import { CLOCK_SKEW, type SignedClaims, verifyRequest, WEB_SERVICE } from "../contract/signed-request.ts";
import type { Database } from "../store/database.ts";
import { useNonce } from "../store/nonces.ts";

export interface ClaimsOptions {
  db: Database;
  serviceKey: Uint8Array | string;
  clock: Clock;
}

/** A request whose signature was checked over the exact bytes in `body`. */
export interface VerifiedRequest {
  url: URL;
  body: Uint8Array;
  claims: SignedClaims;
  /** When it was checked, in microseconds. */
  now: number;
}

/**
 * Reads the body and checks the claims. Throws `unauthenticated` for whatever is wrong with them, without
 * saying what, and `payload_too_large`. `once`: the request changes something, so its nonce is used up, for
 * every core on this database.
 */
export async function verifySigned(
  request: Request,
  once: boolean,
  options: ClaimsOptions,
): Promise<VerifiedRequest> {
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body === null) throw new ApiError("payload_too_large", undefined, { max_bytes: MAX_BODY_BYTES });

  const url = new URL(request.url);
  const now = options.clock.now();
  const claims = verifyRequest(
    options.serviceKey,
    { method: request.method, pathname: url.pathname, search: url.search, body },
    (name) => request.headers.get(name),
    now,
  );
  if (claims === null || claims.service !== WEB_SERVICE) throw new ApiError("unauthenticated");
  if (once) {
    const fresh = await options.db.shared((tx) => useNonce(tx, claims.nonce, claims.expiresAt + CLOCK_SKEW));
    if (!fresh) throw new ApiError("unauthenticated");
  }
  return { url, body, claims, now };
}
