import type { Condition, Filter, ResultKind } from "../../../contract/filter/tree.ts";
import { formatMillis } from "../../../kit/time.ts";
import { readQuestion } from "./rules/read.ts";
import type { Asked } from "./time/calendar.ts";
import { FUNCTION_WORDS, NO_NAMES, phraseAt } from "./values/context.ts";
import { withNames } from "./words/known-names.ts";
import { type Token, tokens } from "./words/token.ts";

/** What a question that is declined can be searched for: its words, among what it asks for, in its time. */
export interface WordSearch {
  /** Null if the question names none. */
  kind: ResultKind | null;
  where: Condition;
  window: Filter["window"];
}

/** More would find nothing. */
const MAX_WORDS = 12;

/** The words of a question that say what it is about; null if there are none. All of them are required. */
export function wordSearch(text: string, asked: Asked): WordSearch | null {
  const { kind, topics, window, parts } = readQuestion(text, asked);
  const times = parts.filter(({ rule }) => rule === "a time");
  const all = withNames(tokens(text), asked.names);
  const words = all.filter((token, at) =>
    !times.some(({ from, to }) => token.from >= from && token.to <= to) && isOfContent(all, at)
  );
  const texts = [
    ...new Set(words.map((token) => token.kind === "word" ? token.typed.replace(/['’]s?$/, "") : token.text)),
  ];
  if (texts.length === 0) return null;
  const leaves: Condition[] = texts.slice(0, MAX_WORDS).map((value) => ({
    field: "any",
    op: "matches",
    value,
  }));
  return {
    kind: kind ?? (topics.has("alert") ? "incidents" : null),
    where: leaves.length === 1 ? leaves[0]! : { all: leaves },
    window: window === null || window.from >= Math.min(window.to, asked.now)
      ? null
      : { from: formatMillis(Math.max(0, window.from)), to: formatMillis(Math.min(window.to, asked.now)) },
  };
}

/** Words of questions that are in no record: nouns of what is found, joints, verbs, prepositions and quantities. */
function isOfContent(all: readonly Token[], at: number): boolean {
  const { kind, text } = all[at]!;
  if (kind === "number" || kind === "size" || kind === "duration" || kind === "clock") return false;
  if (kind !== "word") return true;
  if (!/[\p{L}\p{N}]/u.test(text) || FUNCTION_WORDS.has(text) || NO_NAMES.has(text)) return false;
  const effect = phraseAt({ all: all.slice(at, at + 1), at: 0 })?.effect;
  const isOfSentence = effect !== undefined &&
    ["fill", "role", "verb", "negate", "kind", "always", "note", "activity", "outside"].some((part) =>
      part in effect
    );
  return !isOfSentence;
}
