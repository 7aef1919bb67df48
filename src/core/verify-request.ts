import { ApiError } from "../contract/request/errors.ts";
import type { Clock } from "../kit/clock.ts";
import { readApiBody } from "../contract/request/capacity.ts";
import { CONTEXT_HEADER, openContext } from "../contract/request/context.ts";
import {
  CLOCK_SKEW,
  type SignedClaims,
  verifyRequest,
  WEB_SERVICE,
} from "../contract/request/signed-request.ts";
import { currentRequest } from "../observe/request-scope.ts";
import type { Database } from "../store/engine/database.ts";
import { useNonce } from "../store/session/nonces.ts";

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
  const body = await readApiBody(request);

  const url = new URL(request.url);
  const now = options.clock.now();
  const claims = verifyRequest(
    options.serviceKey,
    { method: request.method, pathname: url.pathname, search: url.search, body },
    (name) => request.headers.get(name),
    now,
  );
  if (claims === null || claims.service !== WEB_SERVICE) throw new ApiError("unauthenticated");
  takeContext(request.headers.get(CONTEXT_HEADER), claims.nonce);
  if (once) {
    const fresh = await options.db.shared((tx) => useNonce(tx, claims.nonce, claims.expiresAt + CLOCK_SKEW));
    if (!fresh) throw new ApiError("unauthenticated");
  }
  return { url, body, claims, now };
}

/** From here on the request goes by the name that the web layer gave it. A context that was tampered with is a forgery. */
function takeContext(header: string | null, nonce: string): void {
  if (header === null) return;
  const context = openContext(header, nonce);
  if (context === null) throw new ApiError("unauthenticated");
  Object.assign(currentRequest() ?? {}, context);
}
