import { createHmac, hash, timingSafeEqual } from "node:crypto";

/** HMAC-SHA256 in lower-case hex; text is taken as UTF-8. */
export function hmacSha256Hex(key: Uint8Array | string, data: Uint8Array | string): string {
  return createHmac("sha256", key).update(data).digest("hex");
}

/** SHA-256 in lower-case hex; text is taken as UTF-8. */
export function sha256Hex(data: Uint8Array | string): string {
  return hash("sha256", data, "hex");
}

/**
 * Whether two texts are equal, in a time that reveals neither where they differ nor the length of the secret:
 * it compares their digests.
 */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));
}
