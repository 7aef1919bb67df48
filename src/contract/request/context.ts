// The context of a request that the web layer passes to the core besides the claims: the browser's request
// and its origin. The canonical payload of a signed request has no field for it. The nonce, however, may be
// any unique text, so it ends with the SHA-256 of the header that carries the context, and the signature over
// the nonce covers the header too.

import { z } from "@hono/zod-openapi";
import { digestBytes } from "../../kit/web-crypto.ts";

export const CONTEXT_HEADER = "X-NDR-Context";

/** Maximum length of a stored user agent, in characters. */
export const MAX_USER_AGENT = 256;
/** Length of a SHA-256 in base64url. */
const DIGEST_LENGTH = 43;
/** Maximum length of the header; display name and user agent are its longest parts. */
const MAX_HEADER = 8192;

const URL_SAFE = { alphabet: "base64url", omitPadding: true } as const;

const Context = z.object({
  requestId: z.string().regex(/^[0-9a-f-]{36}$/),
  clientAddress: z.string().max(64).nullable(),
  userAgent: z.string().max(MAX_USER_AGENT).nullable(),
  sessionId: z.string().max(64).nullable(),
  displayName: z.string().max(256).nullable(),
});

/** The context of one browser request; unknown values are null. */
export type RequestContext = z.infer<typeof Context>;

/** Returns the header's value and a new nonce that authenticates it. */
export async function sealContext(context: RequestContext): Promise<{ header: string; nonce: string }> {
  const header = new TextEncoder().encode(JSON.stringify(context)).toBase64(URL_SAFE);
  const unique = crypto.getRandomValues(new Uint8Array(16)).toBase64(URL_SAFE);
  return { header, nonce: unique + await digestOf(header) };
}

/**
 * Returns the context of a request whose signature over `nonce` was verified; null if the nonce does not
 * cover the header or the header is malformed.
 */
export async function openContext(header: string, nonce: string): Promise<RequestContext | null> {
  // No constant-time comparison needed: the digest of the header is not secret.
  if (header.length > MAX_HEADER || nonce.slice(-DIGEST_LENGTH) !== await digestOf(header)) return null;
  try {
    const bytes = Uint8Array.fromBase64(header, { alphabet: "base64url" });
    return Context.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

async function digestOf(header: string): Promise<string> {
  return (await digestBytes(header)).toBase64(URL_SAFE);
}
