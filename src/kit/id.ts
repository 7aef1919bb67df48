import { randomUUID } from "node:crypto";

/**
 * A UUID (version 7 layout) whose first 48 bits are the time in milliseconds, so that identifiers sort by
 * time, and whose other bits come from the 10 bytes of `entropy` at `from`. The same input always gives the
 * same identifier. Times before 1970 count as 1970, times beyond 48 bits as the last millisecond.
 */
export function timeUuid(micros: number, entropy: Uint8Array, from = 0): string {
  if (entropy.length < from + 10) throw new RangeError("timeUuid: expected at least 10 bytes of entropy");
  const ms = Math.min(Math.max(0, Math.floor(micros / 1000)), 2 ** 48 - 1);
  const high = Math.floor(ms / 2 ** 32);
  const low = ms % 2 ** 32;
  bytes[0] = high >>> 8;
  bytes[1] = high;
  bytes[2] = low >>> 24;
  bytes[3] = low >>> 16;
  bytes[4] = low >>> 8;
  bytes[5] = low;
  for (let at = 0; at < 10; at++) bytes[6 + at] = entropy[from + at]!;
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return uuidText(bytes);
}

/** Buffer of `timeUuid`. */
const bytes = new Uint8Array(16);

/** The two hexadecimal digits of each byte, as character codes. */
const HIGH = new Uint8Array(256);
const LOW = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  HIGH[byte] = "0123456789abcdef".charCodeAt(byte >> 4);
  LOW[byte] = "0123456789abcdef".charCodeAt(byte & 15);
}
const DASH = 0x2d;

/**
 * Built in one call, because there are several per record: a concatenated text stays a tree of pieces, ten
 * times the size, until it is read.
 */
function uuidText(b: Uint8Array): string {
  return String.fromCharCode(
    HIGH[b[0]!]!,
    LOW[b[0]!]!,
    HIGH[b[1]!]!,
    LOW[b[1]!]!,
    HIGH[b[2]!]!,
    LOW[b[2]!]!,
    HIGH[b[3]!]!,
    LOW[b[3]!]!,
    DASH,
    HIGH[b[4]!]!,
    LOW[b[4]!]!,
    HIGH[b[5]!]!,
    LOW[b[5]!]!,
    DASH,
    HIGH[b[6]!]!,
    LOW[b[6]!]!,
    HIGH[b[7]!]!,
    LOW[b[7]!]!,
    DASH,
    HIGH[b[8]!]!,
    LOW[b[8]!]!,
    HIGH[b[9]!]!,
    LOW[b[9]!]!,
    DASH,
    HIGH[b[10]!]!,
    LOW[b[10]!]!,
    HIGH[b[11]!]!,
    LOW[b[11]!]!,
    HIGH[b[12]!]!,
    LOW[b[12]!]!,
    HIGH[b[13]!]!,
    LOW[b[13]!]!,
    HIGH[b[14]!]!,
    LOW[b[14]!]!,
    HIGH[b[15]!]!,
    LOW[b[15]!]!,
  );
}

/** A random UUID, version 4. */
export function randomUuid(): string {
  return randomUUID();
}
