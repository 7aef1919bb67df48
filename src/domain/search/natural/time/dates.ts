import { wallTime } from "../../../../kit/zone.ts";
import type { Token } from "../words/token.ts";
import { type Asked, local, monthDay, monthSpan, type Span } from "./calendar.ts";
import { MONTHS } from "./time-words.ts";

/** A span that begins at a token, with the number of tokens that state it. */
export interface TimePhrase extends Span {
  length: number;
  /** What was assumed of it. */
  note?: string;
}

/** `november`, `november 20`, `20 november 2026`, `nov 20th`. */
export function monthAt(all: readonly Token[], at: number, asked: Asked): TimePhrase | null {
  const first = dayNumber(all[at]);
  const skip = first !== null && all[at + 1]?.text === "of" ? 1 : 0;
  const month = monthOf(all[first === null ? at : at + 1 + skip]?.text);
  if (month === null) return null;
  if (first !== null) {
    const after = at + 2 + skip;
    const year = yearAt(all[after]);
    return { ...monthDay(month, first, year, asked), length: 2 + skip + (year === null ? 0 : 1) };
  }
  const date = dayNumber(all[at + 1]);
  if (date !== null) {
    const year = yearAt(all[at + 2]);
    return { ...monthDay(month, date, year, asked), length: year === null ? 2 : 3 };
  }
  // `may` alone is more often a verb.
  if (month === 4 && all[at - 1]?.text !== "in" && all[at - 1]?.text !== "since") return null;
  const year = yearAt(all[at + 1]);
  return { ...monthSpan(month, year, asked), length: year === null ? 1 : 2 };
}

export function monthOf(word: string | undefined): number | null {
  if (word === undefined || word.length < 3) return null;
  const index = MONTHS.findIndex((name) =>
    name === word || name.slice(0, 3) === word || word === "sept" && name === "september"
  );
  return index < 0 ? null : index;
}

export function dayNumber(token: Token | undefined): number | null {
  const match = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(token?.text ?? "");
  const value = match === null ? 0 : Number(match[1]);
  return value >= 1 && value <= 31 ? value : null;
}

export function yearAt(token: Token | undefined): number | null {
  return token?.kind === "number" && /^20\d{2}$/.test(token.text) ? token.value! : null;
}

/** `the 26th`: of this month, or of the last one if that day is still to come. */
export function ordinalDay(date: number, asked: Asked): TimePhrase | null {
  const { year, month, day: today } = wallTime(asked.now, asked.zone);
  const of = date <= today ? month : month - 1;
  const from = local(asked, year, of, date);
  if (date < 1 || wallTime(from, asked.zone).day !== date) return null;
  return { from, to: local(asked, year, of, date + 1), length: 1 };
}

/** `q1`, `q1 2026`: without a year, the last one that has begun. */
export function quarterAt(all: readonly Token[], at: number, quarter: number, asked: Asked): TimePhrase {
  const now = wallTime(asked.now, asked.zone);
  const given = yearAt(all[at + 1]);
  const first = 3 * quarter - 2;
  const year = given ?? (first <= now.month ? now.year : now.year - 1);
  return {
    from: local(asked, year, first, 1),
    to: local(asked, year, first + 3, 1),
    length: given === null ? 1 : 2,
  };
}

export function dateSpan(text: string, asked: Asked): TimePhrase | null {
  const [year, month, date] = text.split("-").map(Number) as [number, number, number];
  if (year === 0) return { ...monthDay(month - 1, date, null, asked), length: 1 };
  const check = new Date(Date.UTC(year, month - 1, date));
  if (check.getUTCMonth() !== month - 1 || check.getUTCDate() !== date) return null;
  return { from: local(asked, year, month, date), to: local(asked, year, month, date + 1), length: 1 };
}
