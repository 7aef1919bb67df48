import { Reader } from "./reader.ts";
import type { Reading } from "./reading.ts";
import type { Rule } from "./rule.ts";
import { RULES } from "./rules.ts";
import { withNames } from "../words/known-names.ts";
import type { Asked } from "../time/calendar.ts";
import { tokens } from "../words/token.ts";

/** Reads a question word by word; everything in it must have a meaning. */
export function readQuestion(text: string, asked: Asked, rules: readonly Rule[] = RULES): Reading {
  const reader = new Reader(withNames(tokens(text), asked.names), asked);
  while (reader.at < reader.all.length) {
    const [rule, taken] = applied(reader, rules);
    const { from, to, text: word, typed } = reader.token()!;
    if (taken > 0) {
      const end = reader.token(taken - 1)!.to;
      reader.reading.parts.push({ from, to: end, text: text.slice(from, end), rule });
    } else if (word !== ",") reader.reading.unread.push({ from, to, text: typed });
    reader.at += Math.max(1, taken);
  }
  return reader.end();
}

/** The name of the rule that applies, and the number of tokens that it takes. */
function applied(reader: Reader, rules: readonly Rule[]): [string, number] {
  for (const rule of rules) {
    const taken = rule.apply(reader);
    if (taken > 0) return [rule.name, taken];
  }
  return ["", 0];
}
