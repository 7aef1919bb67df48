import type { ResultKind } from "../../../contract/filter/tree.ts";
import { commandOf } from "./command.ts";
import { readingNote } from "./frames.ts";
import type { Asked } from "./time/calendar.ts";
import { type Declined, declined, understand, type Understood } from "./understand.ts";
import { usageOf } from "./unused.ts";

export type { Declined, Understood } from "./understand.ts";

/** Words of a question: each is left out once to see what it does. */
const MAX_WORDS = 40;

/**
 * Understands a question in plain English by a fixed grammar, without any model. Every word must have a meaning:
 * a question is answered as a whole or declined. A known word that has no effect on the answer is named in a note;
 * if most of them have none, the question is declined.
 */
export function interpretQuestion(text: string, asked: Asked, kind?: ResultKind): Understood | Declined {
  if (text.trim().split(/[\s,]+/).length > MAX_WORDS) {
    return declined(text, [], `A question has at most ${MAX_WORDS} words.`);
  }
  const command = commandOf(text);
  if (command !== null) {
    return declined(text, [command], `"${command.text}" asks for a change: a question only searches.`);
  }
  const read = (text: string) => understand(text, asked, kind);
  const answer = read(text);
  if (!answer.ok) return answer;
  const { unused, meaningful } = usageOf(text, answer, read);
  if (unused.length * 2 > meaningful) {
    const words = unused.map((part) => `"${part.text}"`).join(", ");
    return declined(text, unused, `Most words had no effect: ${words}.`);
  }
  const notes = unused.map(({ from, text }) =>
    `"${text}" (at character ${from + 1}) had no effect on this search.`
  );
  const noted = { ...answer, notes: [...answer.notes, ...notes] };
  const reading = readingNote(text, noted);
  return reading === null ? noted : { ...noted, notes: [...noted.notes, reading] };
}
