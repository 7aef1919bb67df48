import { randomUUID } from "node:crypto";

/**
 * A UUID (version 7 layout) whose first 48 bits are the time in milliseconds, so that identifiers sort and
 * cluster by time, and whose other bits come from `entropy` (at least 10 bytes). The same input always gives
 * the same identifier. Times before 1970 count as 1970, times beyond 48 bits as the last millisecond.
 */
export function timeUuid(micros: number, entropy: Uint8Array): string {
  if (entropy.length < 10) throw new RangeError("timeUuid: expected at least 10 bytes of entropy");
  const ms = Math.min(Math.max(0, Math.floor(micros / 1000)), 2 ** 48 - 1);
  const time = ms.toString(16).padStart(12, "0");
  const version = 0x70 | (entropy[0]! & 0x0f);
  const variant = 0x80 | (entropy[2]! & 0x3f);
  let rest = "";
  for (let i = 3; i < 10; i++) rest += hex(entropy[i]!);
  return `${time.slice(0, 8)}-${time.slice(8)}-${hex(version)}${hex(entropy[1]!)}-` +
    `${hex(variant)}${rest.slice(0, 2)}-${rest.slice(2)}`;
}

function hex(byte: number): string {
  return (byte + 0x100).toString(16).slice(1);
}

/** A random UUID, version 4. */
export function randomUuid(): string {
  return randomUUID();
}
