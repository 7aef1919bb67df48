// Array parameters and literals as PostgreSQL text. One text per column costs the driver and the server far
// less than a parameter per value.

import { stringifyJson } from "../../kit/json/json.ts";

type Cell = string | number | bigint | boolean | null | undefined;

/** An array of values that need no quoting: numbers, booleans, UUIDs, hex. */
export function plainArray(values: readonly Cell[]): string {
  return `{${values.map((value) => value ?? "NULL").join(",")}}`;
}

/** An array of texts. NUL cannot be stored in a PostgreSQL text and becomes U+FFFD. */
export function textArray(values: readonly (string | null | undefined)[]): string {
  return `{${
    values.map((value) => value === null || value === undefined ? "NULL" : quote(value)).join(",")
  }}`;
}

const NEEDS_ESCAPE = /["\\\0]/;

function quote(value: string): string {
  if (!NEEDS_ESCAPE.test(value)) return `"${value}"`;
  return `"${value.replace(/["\\]/g, "\\$&").replaceAll("\0", "\ufffd")}"`;
}

const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** JSON for a `jsonb`, which rejects NUL and unpaired surrogates; they become U+FFFD. */
export function jsonText(value: unknown): string {
  const text = stringifyJson(value);
  if (!UNSTORABLE.test(text)) return text;
  return text.replace(
    /\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g,
    (whole, escape: string) => escape.length > 1 ? "\\ufffd" : whole,
  );
}

/** The range of four-digit years, in milliseconds; PostgreSQL has no year 0. */
const EARLIEST = -62_135_596_800_000;
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Microseconds since the epoch, rounded down and clamped to the years 1 to 9999, which PostgreSQL can store.
 * Only a broken clock reports other years.
 */
export function storableTime(micros: number): number {
  return Math.min(LATEST * 1000, Math.max(EARLIEST * 1000, Math.floor(micros)));
}

/** Microseconds since the epoch as a literal that PostgreSQL reads as exactly this number. */
export function timestampLiteral(micros: number): string {
  const whole = storableTime(micros);
  let milliseconds = Math.floor(whole / 1000);
  let rest = whole - milliseconds * 1000;
  if (!Number.isSafeInteger(whole)) {
    // Before 1684 and after 2255 the division above is not exact.
    const exact = BigInt(whole);
    rest = Number(((exact % 1000n) + 1000n) % 1000n);
    milliseconds = Number((exact - BigInt(rest)) / 1000n);
  }
  return new Date(milliseconds).toISOString().slice(0, -1) + String(rest).padStart(3, "0") + "Z";
}

export function timestampArray(values: readonly (number | null)[]): string {
  return plainArray(values.map((value) => value === null ? null : timestampLiteral(value)));
}
