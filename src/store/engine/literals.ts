// Array parameters as PostgreSQL text. A thousand-row insert passes one text per column, which costs the driver
// and the server far less than a thousand parameters.

import { stringifyJson } from "../../kit/json/json.ts";

type Cell = string | number | bigint | boolean | null | undefined;

/** An array of values that need no quoting: numbers, booleans, UUIDs, hex. */
export function plainArray(values: readonly Cell[]): string {
  return `{${values.map((value) => value ?? "NULL").join(",")}}`;
}

/** An array of any texts. NUL cannot be stored in a PostgreSQL text and becomes U+FFFD. */
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

/** A value as JSON for a `jsonb`, which refuses NUL and half surrogate pairs; they become U+FFFD. */
export function jsonText(value: unknown): string {
  const text = stringifyJson(value);
  if (!UNSTORABLE.test(text)) return text;
  return text.replace(
    /\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g,
    (whole, escape: string) => escape.length > 1 ? "\\ufffd" : whole,
  );
}

/** What a four-digit year can say, in milliseconds; PostgreSQL has no year 0. */
const EARLIEST = -62_135_596_800_000;
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Microseconds since the epoch as PostgreSQL can hold them: whole, and in the years 1 to 9999. What lies outside of
 * those, which only a wild clock names, counts as their first or last moment.
 */
export function storableTime(micros: number): number {
  return Math.min(LATEST * 1000, Math.max(EARLIEST * 1000, Math.floor(micros)));
}

/** Microseconds since the epoch as a literal that every PostgreSQL reads as exactly this number. */
export function timestampLiteral(micros: number): string {
  const whole = storableTime(micros);
  let milliseconds = Math.floor(whole / 1000);
  let rest = whole - milliseconds * 1000;
  if (!Number.isSafeInteger(whole)) {
    // Before 1684 and beyond 2255 the number is still a whole one, but not its quotient.
    const exact = BigInt(whole);
    rest = Number(((exact % 1000n) + 1000n) % 1000n);
    milliseconds = Number((exact - BigInt(rest)) / 1000n);
  }
  return new Date(milliseconds).toISOString().slice(0, -1) + String(rest).padStart(3, "0") + "Z";
}

export function timestampArray(values: readonly (number | null)[]): string {
  return plainArray(values.map((value) => value === null ? null : timestampLiteral(value)));
}
