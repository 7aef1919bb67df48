// JSON between parts of this program, in which each number keeps its type: a bigint travels as `{"$bigint":"…"}`. As plain
// literals, as `stringifyJson` writes them, a time beyond 2^53, which is a number, could not be told from a count, which is none.

import { plainJson } from "./json.ts";

const TAG = "$bigint";
/** Quotes inside of a text are escaped: no text looks like this, and no list of texts under that key. */
const TAGGED = `{"${TAG}":"`;

/** Throws a TypeError for a value that contains itself. */
export function stringifyTagged(value: unknown): string {
  return plainJson(value) ?? JSON.stringify(value, (_, member) => tagged(member));
}

function tagged(member: unknown): unknown {
  return typeof member === "bigint" ? { [TAG]: String(member) } : member;
}

/** The value that `stringifyTagged` wrote. */
export function parseTagged<T>(text: string): T {
  if (!text.includes(TAGGED)) return JSON.parse(text);
  return JSON.parse(text, (_, member) => typeof member?.[TAG] === "string" ? BigInt(member[TAG]) : member);
}
