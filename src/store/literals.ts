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

/** Microseconds since the epoch as a literal that every PostgreSQL reads exactly. */
export function timestampLiteral(micros: number): string {
  const milliseconds = Math.floor(micros / 1000);
  const iso = new Date(milliseconds).toISOString();
  return iso.slice(0, -1) + String(micros - milliseconds * 1000).padStart(3, "0") + "Z";
}

export function timestampArray(values: readonly (number | null)[]): string {
  let text = "{";
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    text += (i === 0 ? "" : ",") + (value === null || value === undefined ? "NULL" : timestampLiteral(value));
  }
  return text + "}";
}
