import { sha1Bytes } from "./hash.ts";

/**
 * The UUID of a name within a namespace, itself a UUID: version 5 of RFC 9562. The same input always gives the same
 * identifier.
 */
export function nameUuid(namespace: string, name: string): string {
  const digest = sha1Bytes(Uint8Array.fromHex(namespace.replaceAll("-", "")), name).slice(0, 16);
  digest[6] = 0x50 | (digest[6]! & 0x0f);
  digest[8] = 0x80 | (digest[8]! & 0x3f);
  return digest.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
