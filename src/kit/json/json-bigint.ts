// JSON between parts of this program that keeps each number's type: a bigint is `{"$bigint":"…"}`. As a plain
// literal, as `stringifyJson` writes it, a time beyond 2^53 (a number) could not be distinguished from a count (a
// bigint).

import { plainJson } from "./json.ts";

const TAG = "$bigint";
/** Quotes inside a text are escaped: no text looks like this. */
const TAGGED = `{"${TAG}":"`;

/** Throws a TypeError for a circular value. */
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
