/** A part of a text: plain, or a time that the service wrote in UTC. */
interface TimePart {
  text: string;
  /** The time as a timestamp; null for plain text. */
  at: string | null;
  /** The time before it in the same phrase, whose day it does not repeat. */
  after: string | null;
}

/** `2026-01-31 07:11 UTC`, `2026-01-31 07:11 and 09:40:05 UTC`. */
const PHRASE = /(?<![\w-])(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?)(?: and (\d\d:\d\d(?::\d\d)?))? UTC(?!\w)/g;

/** Splits a text at the times in it. The texts of the parts joined are the text. */
export function splitTimes(text: string): TimePart[] {
  const parts: TimePart[] = [];
  const plain = (from: number, until: number) => {
    if (until > from) parts.push({ text: text.slice(from, until), at: null, after: null });
  };
  let end = 0;
  for (const { 0: found, 1: date = "", 2: clock = "", 3: second, index } of text.matchAll(PHRASE)) {
    const first = stampOf(date, clock);
    const last = second === undefined ? null : stampOf(date, second);
    if (first === null || (second !== undefined && last === null)) continue;
    plain(end, index);
    end = index + found.length;
    if (last === null) parts.push({ text: found, at: first, after: null });
    else {
      const length = date.length + 1 + clock.length;
      const between = " and ";
      parts.push({ text: found.slice(0, length), at: first, after: null });
      plain(index + length, index + length + between.length);
      parts.push({ text: found.slice(length + between.length), at: last, after: first });
    }
  }
  plain(end, text.length);
  return parts;
}

/** Null for a date or a clock time that does not exist. */
function stampOf(date: string, clock: string): string | null {
  const stamp = `${date}T${clock.length === "07:11".length ? `${clock}:00` : clock}.000Z`;
  const time = Date.parse(stamp);
  return Number.isNaN(time) || new Date(time).toISOString() !== stamp ? null : stamp;
}
