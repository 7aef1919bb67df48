// Dates such as 2026-01-30. They are days of the site's calendar, so no zone plays a part.

function utc(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

/** The date that lies `days` after another one. */
export function shiftDate(date: string, days: number): string {
  const at = utc(date);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** The month that lies `months` after another one, each such as 2026-01. */
export function shiftMonth(month: string, months: number): string {
  const at = utc(`${month}-01`);
  at.setUTCMonth(at.getUTCMonth() + months);
  return at.toISOString().slice(0, 7);
}

/** Monday is 0. */
function weekdayOf(date: string): number {
  return (utc(date).getUTCDay() + 6) % 7;
}

/** The weeks of a month, each with seven places from Monday; null is a day of another month. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`;
  const places: (string | null)[] = Array(weekdayOf(first)).fill(null);
  for (let date = first; date.startsWith(month); date = shiftDate(date, 1)) places.push(date);
  while (places.length % 7 !== 0) places.push(null);
  return Array.from({ length: places.length / 7 }, (_, week) => places.slice(week * 7, week * 7 + 7));
}

const IN_WORDS = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** `Friday, 30 January 2026`. */
export function dateInWords(date: string): string {
  return IN_WORDS.format(utc(date));
}

/** `January 2026`. */
export function monthInWords(month: string): string {
  return MONTH.format(utc(`${month}-01`));
}
