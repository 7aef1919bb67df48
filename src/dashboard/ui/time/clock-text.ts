// Times as people type them: `2026-10-25 02:30:00.250`, in the shown zone and on a 24-hour clock.

import { fromLocal, wallTime } from "../../../kit/zone.ts";

const SPAN: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const TEXT =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6}))?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i;

function two(part: number): string {
  return String(part).padStart(2, "0");
}

/** Minutes that the zone's clocks are ahead of UTC. */
function offsetMinutes(time: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallTime(time * 1000, zone);
  const whole = Math.floor(time / 1000) * 1000;
  return Math.round((Date.UTC(year, month - 1, day, hour, minute, second) - whole) / 60_000);
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/**
 * A time as text in a zone, exact to the millisecond. The second pass of an hour that a change of clocks repeats has
 * its offset, so that reading the text gives the same time.
 */
export function clockText(at: string | number, zone: string): string {
  const time = new Date(at).getTime();
  const { year, month, day, hour, minute, second } = wallTime(time * 1000, zone);
  const rest = ((time % 1000) + 1000) % 1000;
  const fraction = rest === 0 ? "" : `.${String(rest).padStart(3, "0")}`;
  const text = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${
    two(second)
  }${fraction}`;
  return readClockText(text, zone, time) === time ? text : `${text} ${offsetText(offsetMinutes(time, zone))}`;
}

/**
 * The time that a text means, in milliseconds; null if it is none. A date is its midnight; `now` and `now-24h` are
 * relative to `now`. Without an offset the text is in the zone, and of a repeated hour it is the first pass.
 */
export function readClockText(text: string, zone: string, now: number): number | null {
  const trimmed = text.trim();
  const relative = /^now(?:\s*-\s*(\d{1,6})\s*([smhd]))?$/i.exec(trimmed);
  if (relative) {
    const [, count, unit] = relative;
    return count === undefined ? now : now - Number(count) * SPAN[unit!.toLowerCase()]!;
  }
  const found = TEXT.exec(trimmed);
  if (found === null) return null;
  const [, years, months, days, hours = "0", minutes = "0", seconds = "0", fraction = "", offset] = found;
  const [year, month, day] = [Number(years), Number(months), Number(days)];
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const rest = Number(fraction.padEnd(3, "0").slice(0, 3));
  if (offset === undefined) {
    return Math.round(fromLocal({ year, month, day, hour, minute, second }, zone) / 1000) + rest;
  }
  const ahead = /^(z|utc)$/i.test(offset)
    ? 0
    : (offset.startsWith("-") ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2)));
  return Date.UTC(year, month - 1, day, hour, minute, second) - ahead * 60_000 + rest;
}
