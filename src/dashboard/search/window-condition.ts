// A window as the shortest condition that means it in the browser's zone.

import type { Comparison, FilterWindow } from "../../contract/filter/tree.ts";
import { resolveTime, type TimeContext } from "../../contract/filter/time.ts";
import { parseTimestamp } from "../../kit/time.ts";
import { wallTime } from "../../kit/zone.ts";

/** A window that ends this close to now ends now. Microseconds. */
const NOW_SLACK = 60_000_000;

/** Null if an end is no timestamp. */
export function windowCondition(window: FilterWindow, context: TimeContext): Comparison | null {
  const from = parseTimestamp(window.from)?.micros;
  const to = parseTimestamp(window.to)?.micros;
  if (from === undefined || to === undefined) return null;
  const start = shortTime(from, context);
  // The end of a day is written as the day, which a range includes.
  const lastDay = dayOf(to - 1, context);
  const endsDay = resolveTime(lastDay, context)?.to === to;
  if (!endsDay && Math.abs(context.now - to) < NOW_SLACK) return { field: "time", op: ">=", value: start };
  const end = endsDay ? lastDay : shortTime(to, context);
  if (start === end) return { field: "time", op: "matches", value: start };
  return { field: "time", op: "range", value: [start, end] };
}

/** A date for midnight, else a local time, else a timestamp: the first that means this instant. */
function shortTime(micros: number, context: TimeContext): string {
  const day = dayOf(micros, context);
  if (resolveTime(day, context)?.from === micros) return day;
  const { hour, minute, second } = wallTime(micros, context.zone);
  const time = `${day}T${pad(hour)}:${pad(minute)}`;
  return [time, `${time}:${pad(second)}`].find((text) => resolveTime(text, context)?.from === micros) ??
    new Date(Math.floor(micros / 1000)).toISOString();
}

function dayOf(micros: number, { zone }: TimeContext): string {
  const { year, month, day } = wallTime(micros, zone);
  return `${String(year).padStart(4, "0")}-${pad(month)}-${pad(day)}`;
}

function pad(part: number): string {
  return String(part).padStart(2, "0");
}
