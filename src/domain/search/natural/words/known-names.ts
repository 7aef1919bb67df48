import type { Token } from "./token.ts";
import { PHRASES } from "./vocabulary.ts";

/** Words that a name of a site can share with questions: a device that is called `office`. */
function isCommon(words: readonly string[]): boolean {
  return words.every((word) => PHRASES.has(word)) || PHRASES.has(words.join(" "));
}

/** The tokens with each name that the site knows, of devices, owners and people, as one token. The longest is taken. */
export function withNames(tokens: readonly Token[], names: readonly string[] = []): Token[] {
  const known = names.map((name) => name.toLowerCase().split(/\s+/)).filter((words) => !isCommon(words))
    .sort((a, b) => b.length - a.length);
  const merged: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    const words = known.find((words) =>
      words.every((word, more) => isNamed(tokens, at, more, word, words.length))
    );
    const parts = tokens.slice(at, at + (words?.length ?? 1));
    merged.push(words === undefined ? parts[0]! : nameOf(parts));
    at += parts.length;
  }
  return merged;
}

function isNamed(tokens: readonly Token[], at: number, more: number, word: string, length: number): boolean {
  const token = tokens[at + more];
  if (token === undefined || token.text.toLowerCase() !== word) return false;
  if (token.possessive === true && more < length - 1) return false;
  // `3` is a number, and part of `Desk 3`.
  return token.kind === "word" || length > 1 && token.kind === "number";
}

function nameOf(parts: readonly Token[]): Token {
  const [first, last] = [parts[0]!, parts.at(-1)!];
  const text = parts.map(({ text }) => text).join(" ");
  const typed = parts.map(({ typed }) => typed).join(" ");
  const name: Token = {
    kind: "quoted",
    text,
    singular: text,
    typed,
    from: first.from,
    to: last.to,
    isKnown: true,
  };
  return last.possessive === true ? { ...name, possessive: true } : name;
}

/** Whether a word is a part of a name that the site knows. */
export function isPartOfName(word: string, names: readonly string[]): boolean {
  const part = word.toLowerCase();
  // A short word is a part of many names by chance.
  return names.some((name) =>
    part.length < 4
      ? name.toLowerCase().split(/[^\p{L}\p{N}]+/u).includes(part)
      : name.toLowerCase().includes(part)
  );
}

/** Words of a question that the grammar does not know, so that they may be names. */
export function unknownWords(tokens: readonly Token[]): string[] {
  const words = tokens.filter(({ kind, text, singular }) =>
    kind === "word" && text.length > 1 && !PHRASES.has(text) && !PHRASES.has(singular)
  );
  return [...new Set(words.map(({ text }) => text))];
}
