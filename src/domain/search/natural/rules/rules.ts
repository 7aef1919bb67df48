import type { FieldName } from "../../../../contract/filter/fields.ts";
import { timeAt } from "../time/time.ts";
import { isNoun, lengthOfOne, phraseAt, verbFollows } from "../values/context.ts";
import type { Effect } from "../words/effect.ts";
import type { Token } from "../words/token.ts";
import { misspelt } from "../words/spelling.ts";
import { PHRASES, SEVERITY_WORDS, singular } from "../words/vocabulary.ts";
import { AMOUNT_RULES } from "./amounts.ts";
import { COUNT_RULES } from "./counts.ts";
import { applyEffect } from "./effects.ts";
import { END_RULES } from "./ends.ts";
import { BETWEEN_NAMES, EACH_OTHER, NAME_RULES } from "./names.ts";
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
  EACH_OTHER,
  // `urgent incidents for me`, but `show me incidents for me`.
  rule({
    name: "for whom",
    pattern: oneOf(["for me", "for us"]),
    guard: ({ all, at }) => at > 0 && !IMPERATIVES.has(all[0]!.text),
    effect: (reader) => reader.assume(`"for ${reader.word(1)}" does not narrow whose they are`),
  }),
  // `SCRANTON to NASHUA any port`, but not `any port scans`.
  rule({
    name: "any port",
    pattern: oneOf(["any port", "all ports", "on any port", "on all ports"]),
    guard: ({ all, at, asked }, { length }) =>
      at > 0 && (all[at + length] === undefined || timeAt(all, at + length, asked) !== null),
    effect: (reader) => void reader.reading.notes.push("Ports are not restricted."),
  }),
  rule({
    name: "a phrase",
    pattern: phraseAt,
    // `open rdp` and `did maria open` are no status.
    guard: ({ all, at, reading }, { effect, length }) =>
      !("refuse" in effect ||
        isOf(effect, "status") && isOf(PHRASES.get(all[at + length]?.text ?? ""), "service") &&
          !all.some((_, index) => isNoun(all, index)) ||
        isVerb(all, at) && reading.kind === "incidents"),
    effect: (reader, { effect, length }) =>
      applyEffect(reader, isVerb(reader.all, reader.at) ? { verb: "dst" } : effect, reader.at + length),
  }),
  // `internal traffic only`, `incidents where the severity is high`.
  rule({
    name: "a word after a noun",
    pattern: oneOf(["only", "where"]),
    guard: (reader) =>
      reader.word() === "where"
        ? isNoun(reader.all, reader.at - 1)
        : reader.at > 0 && (reader.isLast || reader.word(1) === ","),
    effect() {},
  }),
  // `incidents sorted by severity`.
  rule({
    name: "an order",
    pattern({ all, at }) {
      const length = lengthOfOne(all, at, ["sorted by", "ordered by", "sort by", "order by", "in order of"]);
      const noun = length === 0 ? undefined : all[at + length];
      return noun === undefined ? null : { noun: noun.text, length: length + 1 };
    },
    effect: (reader, { noun }) =>
      void reader.reading.notes.push(`A question does not sort: sort the list by its column ${noun}.`),
  }),
  // `when did we last talk to 10.0.0.5`.
  rule({
    name: "the last time",
    pattern: oneOf(["last"]),
    guard: ({ all, at }) => at > 0 && (verbFollows(all, at) > 0 || isNoun(all, at + 1)),
    effect({ reading }) {
      reading.notes.push("The newest stand first.");
      reading.isOfAllTimes = true;
    },
  }),
  rule({
    name: "an HTTP status",
    pattern: ({ all, at }) => {
      const { kind, text, value = 0 } = all[at]!;
      // `with status 500`.
      const code = /^(?:status|code)$/.test(text) && all[at + 1]?.kind === "number" ? all[at + 1]!.value! : 0;
      if (code >= 100 && code < 600) return { op: "=" as const, value: code, length: 2 };
      const noun = lengthOfOne(all, at + 1, ["error", "errors", "responses", "response", "status"]);
      const least = /^[1-5]xx$/.test(text) ? Number(text[0]) * 100 : 0;
      if (least > 0) return { op: "range" as const, value: [least, least + 99], length: 1 + noun };
      const isStatus = kind === "number" && value >= 100 && value < 600;
      return isStatus && (noun > 0 || all[at - 1]?.text === "http")
        ? { op: "=" as const, value, length: 1 + noun }
        : null;
    },
    effect: (reader, { op, value }) => reader.add({ field: "http.status", op, value }),
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

/** Whether it is what somebody did: `what did maria open`, but not `did maria have open incidents`. */
function isVerb(all: readonly Token[], at: number): boolean {
  if (all[at]!.text !== "open") return false;
  const auxiliary = all.slice(0, at).findLastIndex(({ text }) => /^(?:did|does|do)$/.test(text));
  return auxiliary >= 0 && auxiliary < at - 1 &&
    !all.slice(auxiliary, at + 2).some(({ text }, index) =>
      isNoun(all, auxiliary + index) || /^(?:have|has|with)$/.test(text)
    );
}

function isOf(effect: Effect | undefined, field: FieldName): boolean {
  return effect !== undefined && "is" in effect && effect.is.field === field;
}
