// Text of unknown origin in titles, summaries and names.

/**
 * Characters that are invisible or change how their neighbours are displayed: controls, format characters (bidirectional
 * controls, zero-width characters, soft hyphens, tags), line and paragraph separators, and variation selectors beyond
 * those of emoji.
 */
const DECEPTIVE = /[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0\u{e0100}-\u{e01ef}]/gu;

/**
 * One line of plain text: each deceptive character is shown as its code, such as `\u{202e}`; NUL and lone surrogates,
 * which the database cannot store, become U+FFFD. Applying it again changes nothing. Raw records stay exact.
 */
export function plainLine(text: string): string {
  return storable(text).replace(DECEPTIVE, escaped);
}

/** As `plainLine`, for text of several lines: keeps tabs and line breaks. */
export function plainLines(text: string): string {
  return storable(text).replace(DECEPTIVE, (char) => "\t\n\r".includes(char) ? char : escaped(char));
}

/** Applies `plainLine` to every string value of a JSON value. */
export function plainValues<T>(value: T): T {
  return mapStrings(value, plainLine);
}

/** Replaces every string value of a JSON value; keys stay. */
export function mapStrings<T>(value: T, replace: (text: string) => string): T {
  if (typeof value === "string") return replace(value) as T;
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, replace)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapStrings(one, replace)])) as T;
}

/** Replaces NUL and lone surrogates by U+FFFD, as writing to the database does. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

function escaped(char: string): string {
  return `\\u{${char.codePointAt(0)!.toString(16)}}`;
}
