import { wordsAt } from "./entity.ts";
import { isAbbreviation, type Token } from "../words/token.ts";
import { GROUP_WORDS } from "./rankings.ts";
import type { Effect, Role } from "../words/effect.ts";
import { MAX_PHRASE_WORDS, PHRASES } from "../words/vocabulary.ts";

/** Words of the language that are neither a name nor the value of a field. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  ("before after since until till during while all every each some both none nothing only just even also too again else together then than and or nor but if so " +
    "because where how i my mine your his her same other others another such own always often already usually " +
    "should must may might will shall either neither much many few enough").split(" "),
);
/** Words that look like names but ask for something that a search cannot do. */
export const NO_NAMES = new Set(
  ("me us everyone them it him her what why how whom which most least more less first last second minute hour day week " +
    "month year time moment today yesterday tomorrow tonight now night morning afternoon evening noon midnight weekend weekday vendor manufacturer model os " +
    "europe asia africa america offline online severity priority ips method anywhere everywhere somewhere nowhere version")
    .split(" "),
);
/** A word after one of these may be a part of the name of what is used: `who is using dropbox`. */
export const USING = new Set(
  "using use uses used visited visiting visit browsed to".split(" "),
);
/** Letters that a part of a name needs at least to be more than a coincidence. */
export const MIN_NAME_PART = 4;

/** Whether a preposition or verb stands right before, articles aside. */
export function roleBefore(all: readonly Token[], at: number, back = 1): boolean {
  const word = all[at - back]?.text;
  if (word === undefined) return false;
  if (word === "the" || word === "a" || word === "device" || word === "host" || word === "machine") {
    return roleBefore(all, at, back + 1);
  }
  for (let length = 1; length <= MAX_PHRASE_WORDS; length++) {
    const words = wordsAt(all, at - back - length + 1, length);
    const effect = PHRASES.get(words.join(" ")) ??
      PHRASES.get(
        all.slice(Math.max(0, at - back - length + 1), at - back + 1).map(({ text }) => text).join(" "),
      );
    if (effect !== undefined && ("role" in effect || "verb" in effect)) return true;
  }
  return false;
}

/** Words of the verb that follows the token, 0 if none does. */
export function verbFollows(all: readonly Token[], at: number): number {
  return lengthBefore(all, at, (effect) => "verb" in effect);
}

/** Words between a noun and the verb of its clause: `hosts that have scanned us`. */
const BEFORE_VERB: ReadonlySet<string> = new Set(
  "that which who have has had are is tried trying to".split(" "),
);

/** What a noun is to the verb of the clause after it: its subject (`src`) or its object (`dst`); null without a verb. */
export function roleOfNoun(all: readonly Token[], next: number): Role | null {
  let at = next;
  while (BEFORE_VERB.has(all[at]?.text ?? "")) at++;
  for (let length = 3; length > 0; length--) {
    const typed = all.slice(at, at + length).map(({ text }) => text).join(" ");
    const effect = PHRASES.get(typed) ?? PHRASES.get(wordsAt(all, at, length).join(" "));
    if (effect === undefined) continue;
    if ("verb" in effect) return effect.verb === "src" ? "dst" : "src";
    // `external hosts scan us`.
    if (
      "is" in effect && effect.is.field === "detector" && /^(?:us|our)$/.test(all[at + length]?.text ?? "")
    ) {
      return "src";
    }
  }
  return null;
}

/** Whether a word for what can be searched for follows the token. */
export function nounFollows(all: readonly Token[], at: number): boolean {
  return GROUP_WORDS[wordsAt(all, at + 1, 1)[0] ?? ""] !== undefined ||
    lengthBefore(
        all,
        at,
        (effect) =>
          "kind" in effect || "type" in effect || "noun" in effect ||
          "topic" in effect && !("verb" in effect),
      ) > 0;
}

/** Whether the noun of a field follows the token. */
export function valueFollows(all: readonly Token[], at: number): boolean {
  const [word = ""] = wordsAt(all, at + 1, 1);
  return GROUP_WORDS[word] !== undefined && !PHRASES.has(word) ||
    lengthBefore(all, at, (effect) => "value" in effect || "noun" in effect) > 0;
}

function lengthBefore(all: readonly Token[], at: number, isMeant: (effect: Effect) => boolean): number {
  for (let length = 3; length > 0; length--) {
    const words = wordsAt(all, at + 1, length);
    const typed = all.slice(at + 1, at + 1 + length).map(({ text }) => text);
    const effect = PHRASES.get(typed.join(" ")) ?? PHRASES.get(words.join(" "));
    if (words.length === length && effect !== undefined && isMeant(effect)) return length;
  }
  return 0;
}

/** Length of the longest of these phrases that stands at the position; 0 if none does. */
export function lengthOfOne(all: readonly Token[], at: number, texts: readonly string[]): number {
  const first = all[at]?.text;
  if (first === undefined) return 0;
  let longest = 0;
  for (const text of texts) {
    if (!text.startsWith(first)) continue;
    const words = text.split(" ");
    const found = all.slice(at, at + words.length).map((token) => token.text);
    if (found.join(" ") === text) longest = Math.max(longest, words.length);
  }
  return longest;
}

/** Whether a word names what is searched for: `devices and incidents` are two searches. */
export function isNoun(all: readonly Token[], at: number): boolean {
  const effect = PHRASES.get(wordsAt(all, at, 1)[0] ?? "");
  return effect !== undefined && ("kind" in effect || "topic" in effect && !("verb" in effect));
}

/** The longest phrase of the vocabulary at the position. */
export function phraseAt(
  { all, at }: { all: readonly Token[]; at: number },
): { typed: string; effect: Effect; length: number } | null {
  for (let length = MAX_PHRASE_WORDS; length > 0; length--) {
    const words = wordsAt(all, at, length);
    if (words.length < length || length === 1 && isAbbreviation(all[at]!)) continue;
    const typed = all.slice(at, at + length).map(({ text }) => text).join(" ");
    const effect = PHRASES.get(typed) ?? PHRASES.get(words.join(" "));
    if (effect !== undefined) return { typed, effect, length };
  }
  return null;
}

/** Whether the word before a position is a type of device: `workstation to printer`, `server 10.0.0.5`. */
export function isTypeBefore(all: readonly Token[], at: number): boolean {
  const word = all[at - 1];
  const effect = word === undefined ? undefined : PHRASES.get(word.singular);
  return effect !== undefined && "type" in effect;
}
