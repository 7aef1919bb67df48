// How column values become JavaScript values, the same for both drivers.

/** `2026-11-21 01:02:03.123456+00` (the session's zone is UTC) to microseconds since the epoch. */
export function parseTimestamptz(text: string): number {
  const plain = /^(\d{4,}-\d{2}-\d{2}) (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?\+00$/.exec(text);
  if (!plain) throw new Error(`unexpected timestamp from the database: ${text}`);
  const [, day, hour, minute, second, fraction] = plain;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const micros = fraction === undefined ? 0 : Number(fraction.padEnd(6, "0"));
  return startOf(day!) + seconds * 1_000_000 + micros;
}

/** Rows that come together are of the same days mostly. */
let last = { day: "", start: 0 };

function startOf(day: string): number {
  // Not Date.UTC, which takes the years 0 to 99 for those of the last century.
  if (last.day !== day) last = { day, start: Date.parse(`${day}T00:00:00Z`) * 1000 };
  return last.start;
}

export function parseBigint(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** `\\x0123…`, as the server writes bytes. */
export function parseBytea(text: string): Uint8Array {
  if (!text.startsWith("\\x")) throw new Error("unexpected bytes from the database: not in hex");
  return Uint8Array.fromHex(text.slice(2));
}

/** Type OIDs of the columns above in the system catalogue. */
export const OID_BYTEA = 17;
export const OID_INT8 = 20;
export const OID_TIMESTAMPTZ = 1184;
export const OID_JSONB = 3802;
export const OID_INT8_ARRAY = 1016;

/** `{1,2,NULL}` of numbers. */
export function parseBigintArray(text: string): (number | bigint)[] {
  return text === "{}" ? [] : text.slice(1, -1).split(",").map(parseBigint);
}
