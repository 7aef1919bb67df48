import type { FieldName } from "../../../../contract/filter/fields.ts";
import { timeAt } from "../time/time.ts";
import { isNoun, phraseAt } from "../values/context.ts";
import type { Effect } from "../words/effect.ts";
import type { Token } from "../words/token.ts";
import { misspelt } from "../words/spelling.ts";
import { PHRASES, SEVERITY_WORDS, singular } from "../words/vocabulary.ts";
import { AMOUNT_RULES } from "./amounts.ts";
import { COUNT_RULES } from "./counts.ts";
import { applyEffect } from "./effects.ts";
import { END_RULES } from "./ends.ts";
import { BETWEEN_NAMES, NAME_RULES } from "./names.ts";
import { oneOf, type Rule, rule } from "./rule.ts";

/** First words of a question after which `for me` is a courtesy. */
const IMPERATIVES: ReadonlySet<string> = new Set(
  "please show list find give display get search tell can could".split(" "),
);

/** The grammar: what can stand at a position, in the order in which it is tried. */
export const RULES: readonly Rule[] = [
  ...COUNT_RULES,
  ...AMOUNT_RULES,
  ...END_RULES,
  BETWEEN_NAMES,
  // `urgent incidents for me`, but `show me incidents for me`.
  rule({
    name: "for whom",
    pattern: oneOf(["for me", "for us"]),
    guard: ({ all, at }) => at > 0 && !IMPERATIVES.has(all[0]!.text),
    effect: (reader) => reader.assume(`"for ${reader.word(1)}" does not narrow whose they are`),
  }),
  rule({
    name: "a phrase",
    pattern: phraseAt,
    // `open rdp` and `did maria open` are no status.
    guard: ({ all, at }, { effect, length }) =>
      !("refuse" in effect ||
        isOf(effect, "status") && isOf(PHRASES.get(all[at + length]?.text ?? ""), "service") &&
          !all.some((_, index) => isNoun(all, index)) ||
        isVerb(all, at)),
    effect: (reader, { effect, length }) => applyEffect(reader, effect, reader.at + length),
  }),
  ...NAME_RULES,
  // `all devices`, but not `talked to all of them`.
  rule({
    name: "all of them",
    pattern: oneOf(["all", "all of", "every", "each", "some", "some of"]),
    guard: (reader) => reader.isEmpty && timeAt(reader.all, reader.at + 1, reader.asked) === null,
    effect() {},
  }),
  rule({
    name: "my",
    pattern: oneOf(["my"]),
    effect: (reader) => reader.ask(),
  }),
  rule({
    name: "and, or",
    pattern: oneOf(["and", "or", ",", ", and", ", or", "and also", "or also"]),
    guard: ({ all, at }) => !isNoun(all, at - 1) || !isNoun(all, at + 1),
    effect: (reader, { length }) => reader.join(reader.word(length > 1 && reader.word() === "," ? 1 : 0)!),
  }),
  rule({
    name: "a misspelt word",
    pattern(reader) {
      const token = reader.token()!;
      const read = token.kind === "word" ? misspelt(token.text) : null;
      return read === null ? null : { token, read, length: 1 };
    },
    guard: (_, { token, read }) =>
      !PHRASES.has(token.text) &&
      (PHRASES.has(read) || read in SEVERITY_WORDS),
    effect(reader, { token, read }) {
      if (read !== singular(token.text)) reader.reading.corrected.push({ typed: token.typed, read });
      const effect = PHRASES.get(read);
      if (effect !== undefined) return applyEffect(reader, effect, reader.at + 1);
      if (read in SEVERITY_WORDS) {
        reader.add({ field: "severity", op: "=", value: SEVERITY_WORDS[read]! });
      }
    },
  }),
];

/** Whether it is what somebody did: `what did maria open`. */
function isVerb(all: readonly Token[], at: number): boolean {
  const before = all.slice(0, at).map(({ text }) => text);
  return all[at]!.text === "open" && before.some((word) => /^(?:did|does|do)$/.test(word)) &&
    !before.some((_, index) => isNoun(all, index));
}

function isOf(effect: Effect | undefined, field: FieldName): boolean {
  return effect !== undefined && "is" in effect && effect.is.field === field;
}
