// Array parameters as PostgreSQL text. A thousand-row insert passes one text per column, which costs the driver
// and the server far less than a thousand parameters.

type Cell = string | number | bigint | boolean | null | undefined;

/** An array of values that need no quoting: numbers, booleans, UUIDs, hex. */
export function plainArray(values: readonly Cell[]): string {
  let text = "{";
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    text += (i === 0 ? "" : ",") + (value === null || value === undefined ? "NULL" : String(value));
  }
  return text + "}";
}

/** An array of any texts. NUL cannot be stored in a PostgreSQL text and becomes U+FFFD. */
export function textArray(values: readonly (string | null | undefined)[]): string {
  let text = "{";
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    text += (i === 0 ? "" : ",") + (value === null || value === undefined ? "NULL" : quote(value));
  }
  return text + "}";
}

const NEEDS_ESCAPE = /["\\\0]/;

function quote(value: string): string {
  if (!NEEDS_ESCAPE.test(value)) return `"${value}"`;
  return `"${value.replace(/["\\]/g, "\\$&").replaceAll("\0", "\ufffd")}"`;
}

/** What a four-digit year can say; PostgreSQL has no year 0. */
const EARLIEST = -62_135_596_800_000;
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Microseconds since the epoch as a literal that every PostgreSQL reads exactly; times outside of the years 1 to
 * 9999, which only a wild clock names, count as their first or last millisecond.
 */
export function timestampLiteral(micros: number): string {
  const exact = Math.floor(micros / 1000);
  const milliseconds = Math.min(LATEST, Math.max(EARLIEST, exact));
  // Beyond the year 2255 microseconds are no safe integers; the millisecond still is one.
  const rest = milliseconds === exact ? Math.min(999, Math.max(0, Math.round(micros - exact * 1000))) : 0;
  return new Date(milliseconds).toISOString().slice(0, -1) + String(rest).padStart(3, "0") + "Z";
}

export function timestampArray(values: readonly (number | null)[]): string {
  let text = "{";
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    text += (i === 0 ? "" : ",") + (value === null || value === undefined ? "NULL" : timestampLiteral(value));
  }
  return text + "}";
}
