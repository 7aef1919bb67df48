// Conversion of column values to JavaScript values, for both drivers.

/** `2026-11-21 01:02:03.123456+00` (the session's zone is UTC) to microseconds since the epoch. */
export function parseTimestamptz(text: string): number {
  const space = text.indexOf(" ");
  const point = space + 9;
  const end = text.length - 3;
  const hour = twoDigits(text, space + 1);
  const minute = twoDigits(text, space + 4);
  const second = twoDigits(text, space + 7);
  let micros = 0;
  for (let at = point + 1; at < point + 7; at++) micros = micros * 10 + (at < end ? digit(text, at) : 0);
  const known = space >= 10 && text[space + 3] === ":" && text[space + 6] === ":" && text.endsWith("+00") &&
    (end === point || (text[point] === "." && end > point + 1 && end <= point + 7));
  const value = startOfDay(text, space) + (hour * 3600 + minute * 60 + second) * 1_000_000 + micros;
  if (!known || Number.isNaN(value)) throw new Error(`unexpected timestamp from the database: ${text}`);
  return value;
}

function twoDigits(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

/** NaN if there is no digit. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 48;
  return value >= 0 && value <= 9 ? value : NaN;
}

/** Consecutive rows mostly share their day. */
let last = { day: "", start: 0 };

/** Start of the day in the first `length` characters, in microseconds. */
function startOfDay(text: string, length: number): number {
  if (last.day.length !== length || !text.startsWith(last.day)) {
    const day = text.slice(0, length);
    // Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999.
    last = { day, start: Date.parse(`${day}T00:00:00Z`) * 1000 };
  }
  return last.start;
}

export function parseBigint(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** Bytes as the server writes them: `\\x0123…`. */
export function parseBytea(text: string): Uint8Array {
  if (!text.startsWith("\\x")) throw new Error("unexpected bytes from the database: not in hex");
  return Uint8Array.fromHex(text.slice(2));
}

/** Type OIDs in the system catalog. */
export const OID_BYTEA = 17;
export const OID_INT8 = 20;
export const OID_TIMESTAMPTZ = 1184;
export const OID_JSONB = 3802;
export const OID_INT8_ARRAY = 1016;

/** `{1,2,NULL}` of numbers. */
export function parseBigintArray(text: string): (number | bigint)[] {
  return text === "{}" ? [] : text.slice(1, -1).split(",").map(parseBigint);
}
