// What the core is told of a request besides its claims: which request of a browser it belongs to, and from where that
// came. The canonical payload of a signed request has no place for it, but for the nonce, which is any text that is not
// used twice. So the nonce of such a request ends with the SHA-256 of the header that carries the context, and the
// signature over the nonce covers the header, too.

import { z } from "@hono/zod-openapi";
import { createHash, randomBytes } from "node:crypto";

export const CONTEXT_HEADER = "X-NDR-Context";

/** Longest user agent that is kept, in characters. */
export const MAX_USER_AGENT = 256;
/** Of base64url: a SHA-256. */
const DIGEST_LENGTH = 43;
/** Of the header; display name and user agent are the long ones. */
const MAX_HEADER = 8192;

const Context = z.object({
  requestId: z.string().regex(/^[0-9a-f-]{36}$/),
  clientAddress: z.string().max(64).nullable(),
  userAgent: z.string().max(MAX_USER_AGENT).nullable(),
  sessionId: z.string().max(64).nullable(),
  displayName: z.string().max(256).nullable(),
});

/** One request from the browser on; what is not known is null. */
export type RequestContext = z.infer<typeof Context>;

/** The header's value, and a fresh nonce for the claims that vouches for it. */
export function sealContext(context: RequestContext): { header: string; nonce: string } {
  const header = new TextEncoder().encode(JSON.stringify(context)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
  return { header, nonce: randomBytes(16).toString("base64url") + digestOf(header) };
}

/**
 * The context of a request whose signature was checked over `nonce`; null for a header that the nonce does not vouch for,
 * or that is no context.
 */
export function openContext(header: string, nonce: string): RequestContext | null {
  // No timing to hide: whoever can choose the header knows its digest.
  if (header.length > MAX_HEADER || nonce.slice(-DIGEST_LENGTH) !== digestOf(header)) return null;
  try {
    const bytes = Uint8Array.fromBase64(header, { alphabet: "base64url" });
    return Context.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

function digestOf(header: string): string {
  return createHash("sha256").update(header).digest("base64url");
}
