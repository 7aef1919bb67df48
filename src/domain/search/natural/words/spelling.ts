import { nearest } from "../../../../kit/nearest.ts";
import { PHRASES, SEVERITY_WORDS, singular } from "./vocabulary.ts";

/** A short word close to one without a meaning more likely has a meaning of its own: `exit` is not `exist`. */
const LONG_FILL = 6;
/** Single words that are long enough to be recognised when they are misspelt. */
const CORRECTABLE = [
  ...new Set([...PHRASES.keys(), ...Object.keys(SEVERITY_WORDS)]),
]
  .filter((word) => {
    const effect = PHRASES.get(word);
    const least = effect !== undefined && "fill" in effect ? LONG_FILL : 5;
    return word.length >= least && !word.includes(" ");
  });
/** Letters that may differ: one, or two in a long word. */
const LONG_WORD = 8;

/** The word of the vocabulary that a misspelt one stands for; null if none is close. */
export function misspelt(text: string): string | null {
  if (text.length < 4 || text.length > 24 || /\d/.test(text)) return null;
  for (const word of [text, singular(text)]) {
    const read = nearest(word, CORRECTABLE);
    if (read === null || read[0] !== word[0] || isOtherWord(word, read)) continue;
    if (distance(word, read) <= (word.length >= LONG_WORD ? 2 : 1)) return read;
  }
  return null;
}

/** Words of their own that are close to one of the vocabulary. */
const KNOWN: ReadonlySet<string> = new Set("intranet extranet internals served indication".split(" "));
/** Rows of the keyboard: a slip hits a neighbour. */
const KEYS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/**
 * Whether a word is rather another one than a misspelt one: another form of it (`produce`, not `produced`), or a short
 * one with another letter that is not next to the right one (`fired`, not `fixed`).
 */
function isOtherWord(word: string, read: string): boolean {
  if (KNOWN.has(word)) return true;
  const [short, long] = word.length < read.length ? [word, read] : [read, word];
  if (long.startsWith(short) && /^(?:d|ed|r|er|ing|ly|y|al|ion)$/.test(long.slice(short.length))) return true;
  if (word.length !== read.length || word.length >= LONG_WORD) return false;
  const differing = [...word].flatMap((letter, at) => letter === read[at] ? [] : [[letter, read[at]!]]);
  const [first] = differing;
  return differing.length === 1 && !areNeighbours(first![0]!, first![1]!) &&
    !/^[aeiou]{2}$/.test(first!.join(""));
}

function areNeighbours(one: string, other: string): boolean {
  const [first, second] = [one, other].map((letter) => {
    const row = KEYS.findIndex((keys) => keys.includes(letter));
    return { row, column: KEYS[row]?.indexOf(letter) ?? -9 };
  });
  return Math.abs(first!.row - second!.row) <= 1 && Math.abs(first!.column - second!.column) <= 1;
}

/** Edits between two words, a swap of neighbours counting as one. */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const cost = from[i - 1] === to[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      }
      row.push(least);
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}
