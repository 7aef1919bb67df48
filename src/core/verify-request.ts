import { ApiError } from "../contract/request/errors.ts";
import type { Clock } from "../kit/clock.ts";
import { readApiBody } from "../contract/request/capacity.ts";
import { CONTEXT_HEADER, openContext } from "../contract/request/context.ts";
import {
  CLOCK_SKEW,
  looksSigned,
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

/** A request whose signature covers the exact bytes in `body`. */
export interface VerifiedRequest {
  url: URL;
  body: Uint8Array;
  claims: SignedClaims;
  /** Time of verification, in microseconds. */
  now: number;
}

/**
 * Verifies the claims; reads the body only if they are complete and well-formed.
 *
 * @param once The request has side effects: its nonce is consumed, for every core on this database.
 * @throws ApiError unauthenticated for any fault in the claims, without stating which; payload_too_large
 */
export async function verifySigned(
  request: Request,
  once: boolean,
  options: ClaimsOptions,
): Promise<VerifiedRequest> {
  const url = new URL(request.url);
  const { method, headers } = request;
  const header = (name: string) => headers.get(name);
  // Before the body is read, which may take its sender a minute.
  if (!looksSigned({ method, pathname: url.pathname }, header, options.clock.now())) {
    throw new ApiError("unauthenticated");
  }
  const body = await readApiBody(request);

  const now = options.clock.now();
  const claims = await verifyRequest(
    options.serviceKey,
    { method, pathname: url.pathname, search: url.search, body },
    header,
    now,
  );
  if (claims === null || claims.service !== WEB_SERVICE) throw new ApiError("unauthenticated");
  await adoptContext(request.headers.get(CONTEXT_HEADER), claims.nonce);
  if (once) {
    const fresh = await options.db.shared((tx) => useNonce(tx, claims.nonce, claims.expiresAt + CLOCK_SKEW));
    if (!fresh) throw new ApiError("unauthenticated");
  }
  return { url, body, claims, now };
}

/**
 * Adopts the web layer's request context, including its request id. A context that the nonce does not cover
 * is forged.
 */
async function adoptContext(header: string | null, nonce: string): Promise<void> {
  if (header === null) return;
  const context = await openContext(header, nonce);
  if (context === null) throw new ApiError("unauthenticated");
  Object.assign(currentRequest() ?? {}, context);
}
