// JSON between parts of this program that must not lose a count beyond 2^53: such a one travels as `{"$bigint":"…"}`.

const TAG = "$bigint";
/** Quotes inside of a text are escaped: no text looks like this, and no list of texts under that key. */
const TAGGED = `{"${TAG}":"`;

export function stringifyExact(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // It holds a bigint. A function that is asked for each member makes this many times slower.
    return JSON.stringify(
      value,
      (_, member) => typeof member === "bigint" ? { [TAG]: String(member) } : member,
    );
  }
}

/** The value that `stringifyExact` wrote. */
export function parseExact<T>(text: string): T {
  if (!text.includes(TAGGED)) return JSON.parse(text);
  return JSON.parse(text, (_, member) => typeof member?.[TAG] === "string" ? BigInt(member[TAG]) : member);
}
