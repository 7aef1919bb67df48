// Synchronous SHA-256, for the path of a record and for pure code: identities, ids and digests. It takes 1.6 µs for a
// record, Web Crypto 9 to 42 µs. Signatures, tokens, cookies and entity tags, of which a request has one, use Web Crypto:
// `web-crypto.ts`.

import { createHash, createHmac, hash } from "node:crypto";

/** SHA-256 in lower-case hex; text is taken as UTF-8. */
export function sha256Hex(data: Uint8Array | string): string {
  return hash("sha256", data, "hex");
}

/** SHA-256; text is taken as UTF-8. */
export function sha256Bytes(data: Uint8Array | string): Uint8Array<ArrayBuffer> {
  // Through hex: Deno's `hash` into a buffer takes nearly twice as long.
  return Uint8Array.fromHex(sha256Hex(data));
}

/** SHA-1, which UUIDs of names are made of; not for secrets. */
export function sha1Bytes(...parts: readonly (Uint8Array | string)[]): Uint8Array<ArrayBuffer> {
  const made = createHash("sha1");
  for (const part of parts) made.update(part);
  return Uint8Array.from(made.digest());
}

/** A SHA-256 of parts that are not in one buffer. */
export class Sha256 {
  readonly #hash = createHash("sha256");

  update(part: Uint8Array | string): this {
    this.#hash.update(part);
    return this;
  }

  hex(): string {
    return this.#hash.digest("hex");
  }

  base64url(): string {
    return this.#hash.digest("base64url");
  }
}

/** A key for one purpose, derived from another with HMAC-SHA256. */
export function derivedKey(key: Uint8Array | string, purpose: string): Uint8Array {
  return createHmac("sha256", key).update(purpose).digest();
}
