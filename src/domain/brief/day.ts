// Days of a site's calendar. A date is `2026-01-31`; times are microseconds since the epoch.

import { parseTimestamp } from "../../kit/time.ts";
import { fromLocal, wallTime } from "../../kit/zone.ts";
import type { Micros } from "../record/observation.ts";

export function microsOf(timestamp: string): Micros {
  return parseTimestamp(timestamp)!.micros;
}

/** The date that a zone's calendar shows at a time. */
export function dayAt(at: Micros, zone: string): string {
  const { year, month, day } = wallTime(at, zone);
  return dateOf(Date.UTC(year, month - 1, day));
}

/** When a day begins and ends in a zone: 23 to 25 hours, usually 24. */
export function dayOf(date: string, zone: string): { from: Micros; to: Micros } {
  const [year, month, day] = partsOf(date);
  return { from: fromLocal({ year, month, day }, zone), to: fromLocal({ year, month, day: day + 1 }, zone) };
}

/** The date that lies `days` after another one. */
export function shiftDay(date: string, days: number): string {
  const [year, month, day] = partsOf(date);
  return dateOf(Date.UTC(year, month - 1, day + days));
}

/** The dates of a month such as `2026-01`. */
export function daysOfMonth(month: string): string[] {
  const first = `${month}-01`;
  return Array.from({ length: 31 }, (_, at) => shiftDay(first, at)).filter((date) => date.startsWith(month));
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** `Saturday, 31 January 2026`. */
export function dateInWords(date: string): string {
  const [year, month, day] = partsOf(date);
  const weekday = WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  return `${weekday}, ${day} ${MONTHS[month - 1]} ${year}`;
}

/** `14:05`, the wall clock of a zone. */
export function clockOf(at: Micros, zone: string): string {
  const { hour, minute } = wallTime(at, zone);
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

function partsOf(date: string): [year: number, month: number, day: number] {
  const [year, month, day] = date.split("-").map(Number);
  return [year!, month!, day!];
}

function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
