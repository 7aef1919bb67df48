import { randomUUID } from "node:crypto";

/**
 * A UUID (version 7 layout) whose first 48 bits are the time in milliseconds, so that identifiers sort and
 * cluster by time, and whose other bits come from `entropy` (at least 10 bytes). The same input always gives
 * the same identifier. Times before 1970 count as 1970, times beyond 48 bits as the last millisecond.
 */
export function timeUuid(micros: number, entropy: Uint8Array): string {
  if (entropy.length < 10) throw new RangeError("timeUuid: expected at least 10 bytes of entropy");
  const ms = Math.min(Math.max(0, Math.floor(micros / 1000)), 2 ** 48 - 1);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(ms / 2 ** 32));
  view.setUint32(2, ms % 2 ** 32);
  bytes.set(entropy.subarray(0, 10), 6);
  bytes[6] = 0x70 | (entropy[0]! & 0x0f);
  bytes[8] = 0x80 | (entropy[2]! & 0x3f);
  const hex = bytes.toHex();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Where `timeUuid` puts its bytes together. */
const bytes = new Uint8Array(16);

/** A random UUID, version 4. */
export function randomUuid(): string {
  return randomUUID();
}
