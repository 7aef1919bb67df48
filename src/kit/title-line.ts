// Titles that fit one line, however long the names in them are.
import { shortened } from "./text.ts";

/** Most characters of a title. */
export const TITLE_LENGTH = 80;
/** A name is not cut below this while a longer one can be. */
const MIN_NAME = 12;

/** A part of a title with names of its own. */
class TitlePart {
  constructor(readonly texts: readonly string[], readonly values: readonly TitleValue[]) {}
}

export type { TitlePart };

type TitleValue = string | number | TitlePart;

/** A part of a title whose names are shortened with the others of the title. */
export function titlePart(texts: TemplateStringsArray, ...values: TitleValue[]): TitlePart {
  return new TitlePart(texts, values);
}

/** A part of a title that is not a name, such as a number with its noun, and is never cut. */
export function fixedPart(text: string): TitlePart {
  return new TitlePart([text], []);
}

/**
 * A title of at most TITLE_LENGTH characters: if it is longer, the longest names are cut, names before
 * addresses.
 * @example titleLine`Beaconing from ${deviceName} to ${peer}`
 */
export function titleLine(texts: TemplateStringsArray, ...values: TitleValue[]): string {
  const parts = flatten(new TitlePart(texts, values));
  const names = parts.filter((_, index) => index % 2 === 1);
  let room = TITLE_LENGTH - parts.reduce((sum, part, index) => sum + (index % 2 === 0 ? part.length : 0), 0);
  const isAddress = names.map((name) => /^\[?[0-9a-f.:]+\]?(:\d+)?$/i.test(name));
  const addresses = names.reduce((sum, name, index) => sum + (isAddress[index] ? name.length : 0), 0);
  const others = names.filter((_, index) => !isAddress[index]);
  // Addresses are whole unless the other names would have to be cut too short.
  const keepsAddresses =
    room - addresses >= others.reduce((sum, { length }) => sum + Math.min(length, MIN_NAME), 0);
  if (keepsAddresses) room -= addresses;
  const longest = longestThatFits(keepsAddresses ? others : names, room);
  const line = parts.map((part, index) =>
    index % 2 === 0 || (keepsAddresses && isAddress[(index - 1) / 2]) ? part : shortened(part, longest)
  ).join("");
  return shortened(line, TITLE_LENGTH);
}

/** Texts and names in turn, beginning and ending with a text. */
function flatten({ texts, values }: TitlePart): string[] {
  const parts = [texts[0]!];
  for (const [index, value] of values.entries()) {
    if (value instanceof TitlePart) {
      const inner = flatten(value);
      parts[parts.length - 1] += inner[0]!;
      parts.push(...inner.slice(1));
      parts[parts.length - 1] += texts[index + 1]!;
    } else parts.push(String(value), texts[index + 1]!);
  }
  return parts;
}

/** Length to which names are cut so that together they take at most `room` characters. */
function longestThatFits(names: readonly string[], room: number): number {
  const lengths = names.map(({ length }) => length).sort((a, b) => a - b);
  let left = room;
  for (const [index, length] of lengths.entries()) {
    const each = Math.floor(left / (lengths.length - index));
    if (length > each) return Math.max(1, each);
    left -= length;
  }
  return Infinity;
}
