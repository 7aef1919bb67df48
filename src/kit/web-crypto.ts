// HMAC and SHA-256 of Web Crypto, for what happens once in a request. Text is taken as UTF-8.

type Data = Uint8Array | string;

const HMAC = { name: "HMAC", hash: "SHA-256" };

export async function digestBytes(data: Data): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(data)));
}

/** SHA-256 in lower-case hex. */
export async function digestHex(data: Data): Promise<string> {
  return (await digestBytes(data)).toHex();
}

/** HMAC-SHA256 in lower-case hex. */
export async function hmacHex(key: Data, data: Data): Promise<string> {
  const raw = bytesOf(key);
  // HMAC fills keys up with zeros; Web Crypto refuses an empty one.
  const filled = raw.length === 0 ? new Uint8Array(1) : raw;
  const imported = await crypto.subtle.importKey("raw", filled, HMAC, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytesOf(data))).toHex();
}

/**
 * Whether two texts are equal, in a time that reveals neither where they differ nor the length of the secret: it
 * compares their digests.
 */
export async function constantTimeEqual(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([digestBytes(a), digestBytes(b)]);
  return equalDigests(one, other);
}

/** Whether two digests are equal, in a time that does not depend on where they differ. */
export function equalDigests(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [at, byte] of one.entries()) difference |= byte ^ (other[at] ?? 0);
  return difference === 0;
}

function bytesOf(data: Data): Uint8Array<ArrayBuffer> {
  // A copy: what is signed must not change meanwhile, nor be shared memory.
  return typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data);
}
