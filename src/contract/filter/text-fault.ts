// Faults of a text in the search language.

import { operatorSigns } from "./check.ts";
import type { FieldType } from "./field.ts";
import { FIELDS } from "./fields.ts";
import { isValue, type Position, type Token } from "./lexer.ts";
import { fieldNamed, wantsOperator } from "./names.ts";
import { quoted } from "./printer.ts";
import { parseValue } from "./values.ts";

/** What is wrong with a text, and where. */
export interface TextFault extends Position {
  /** One sentence without a full stop. */
  message: string;
  /** What could stand here instead. */
  expected: string[];
  /** The text that would be right instead of this part of the text; null if there is none. */
  suggestion: string | null;
}

/** Ends the parse: what follows cannot be understood. */
export class SyntaxFault extends Error {
  constructor(readonly fault: TextFault) {
    super(fault.message);
  }
}

/** A quote or a parenthesis in the middle of a word is a mistake, not a word of its own. */
export function checkSeparation(tokens: readonly Token[], text: string): void {
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (before === undefined || before.to !== token.from || !isValue(before)) continue;
    if (!isValue(token) && token.type !== "open" && token.type !== "field") continue;
    const place = { from: before.from, to: runEnd(text, before.from) };
    const word = quoted(text.slice(place.from, place.to).replaceAll('"', ""));
    throw new SyntaxFault({
      ...place,
      message: "A word with quotes or parentheses in it stands in quotes",
      expected: ["a space"],
      suggestion: word,
    });
  }
}

/** `port 22` lacks an operator: the words would be searched for as texts. */
export function checkOperators(tokens: readonly Token[]): void {
  for (const [index, name] of tokens.entries()) {
    const value = tokens[index + 1];
    if (name.type !== "bare" || name.quoted || value?.type !== "bare" || value.quoted) continue;
    if (!wantsOperator(name.text)) continue;
    const field = fieldNamed(name.text)!;
    const parsed = parseValue(field, value.text, { op: "matches", quoted: false });
    // Any word is the name of a VLAN.
    if (!parsed.ok || (FIELDS[field].type === "vlan" && typeof parsed.value === "string")) continue;
    throw new SyntaxFault({
      from: name.from,
      to: value.to,
      message: `An operator is missing between \`${name.text}\` and \`${short(value.text)}\``,
      expected: operatorSigns(field),
      suggestion: `${name.text}:${value.text}`,
    });
  }
}

/** The end of what stands together without a space, less a `)` that belongs to a group around it. */
function runEnd(text: string, from: number): number {
  let open = 0;
  let end = from;
  for (; end < text.length && !/\s/.test(text[end]!); end++) {
    if (text[end] === "(") open++;
    if (text[end] === ")" && --open < 0) break;
  }
  return end;
}

const MAX_SHOWN = 40;

/** A text as messages show it. */
export function short(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** A message with the value that it repeats shortened. */
export function shortened(message: string, value: string): string {
  return value.length > MAX_SHOWN ? message.replace(value, () => short(value)) : message;
}

/** A type after `is`. */
export function kindOf(type: FieldType): string {
  if (type === "any") return "a bare word";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}
