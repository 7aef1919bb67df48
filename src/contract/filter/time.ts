// Times as people write them, and what they mean at a given instant in a given zone.

import { parseTimestamp } from "../../kit/time.ts";
import { fromLocal, type WallTime, wallTime } from "../../kit/zone.ts";
import type { Operator } from "./field.ts";
import type { Comparison, Condition, FilterWindow } from "./tree.ts";
import { isAll } from "./tree.ts";

export interface TimeContext {
  /** Microseconds since the epoch. */
  now: number;
  /** IANA name. */
  zone: string;
}

/** Microseconds since the epoch, half-open; equal for an instant. */
export interface TimeSpan {
  from: number;
  to: number;
}

/** As a span, but null where it has no limit. */
export interface OpenSpan {
  from: number | null;
  to: number | null;
}

const SECOND = 1_000_000;
const UNIT_MICROS: Readonly<Record<string, number>> = {
  s: SECOND,
  m: 60 * SECOND,
  h: 3600 * SECOND,
  d: 86_400 * SECOND,
  w: 604_800 * SECOND,
};
const UNIT_NAMES: Readonly<Record<string, string>> = { sec: "s", min: "m", hour: "h", day: "d", week: "w" };

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** Words for spans of the calendar, and `now`. */
export const TIME_WORDS: readonly string[] = [
  "now",
  "today",
  "yesterday",
  ...WEEKDAYS,
  "this-week",
  "last-week",
  "this-month",
  "last-month",
];

const FIRST_YEAR = 100;
const RELATIVE = /^(?:now)?\s*-\s*(\d{1,6})\s*(s|m|h|d|w|(?:sec|min|hour|day|week)s?)$/;
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const LOCAL = /^(\d{4}-\d{1,2}-\d{1,2})[t ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?$/;

/**
 * The one spelling of a time that the tree holds: `-2h`, a word of `TIME_WORDS`, `2026-11-01`, `2026-11-01T14:00`
 * without an offset (a local time) or an RFC 3339 timestamp in UTC. Null for any other text.
 */
export function canonicalTime(text: string): string | null {
  const lower = text.trim().toLowerCase().replace(/\s+/g, " ");
  const relative = RELATIVE.exec(lower);
  if (relative !== null) {
    const unit = relative[2]!;
    return `-${Number(relative[1])}${UNIT_NAMES[unit.replace(/(?<=..)s$/, "")] ?? unit}`;
  }
  const word = lower.replace(/[ _]/, "-");
  if (TIME_WORDS.includes(word)) return word;
  const date = DATE.exec(lower);
  if (date !== null) return isoDate(Number(date[1]), Number(date[2]), Number(date[3]));
  const local = LOCAL.exec(lower);
  if (local !== null) return canonicalLocal(local);
  return parseTimestamp(lower.replace(" ", "t").toUpperCase())?.canonical ?? null;
}

function canonicalLocal([, dateText, hour, minute, second, fraction]: RegExpExecArray): string | null {
  const parts = DATE.exec(dateText!)!;
  const date = isoDate(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  if (date === null || Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return null;
  const digits = fraction?.replace(/0+$/, "") ?? "";
  return `${date}T${hour!.padStart(2, "0")}:${minute}` +
    (second === undefined ? "" : `:${second}`) + (digits === "" ? "" : `.${digits}`);
}

function isoDate(year: number, month: number, day: number): string | null {
  // `Date.UTC` reads smaller ones as 19xx.
  if (year < FIRST_YEAR) return null;
  const text = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${
    String(day).padStart(2, "0")
  }`;
  return parseTimestamp(`${text}T00:00:00Z`) === null ? null : text;
}

/**
 * What a time means. A word for a day, week or month and a date are spans in the zone; `-2h`, `now` and a date with
 * a time are instants. A unit is elapsed time, so `-1d` is 24 hours also when the clocks change. A weekday is the
 * latest one that has begun. Times before 1970 and after 2255 become these. Null if the text is not a time.
 */
export function resolveTime(text: string, context: TimeContext): TimeSpan | null {
  const span = unboundedSpan(text, context);
  return span === null ? null : { from: storable(span.from), to: storable(span.to) };
}

/** Within what a double counts exactly and a database stores: 1970 to 2255. */
function storable(micros: number): number {
  return Math.min(Math.max(micros, 0), Number.MAX_SAFE_INTEGER);
}

function unboundedSpan(text: string, { now, zone }: TimeContext): TimeSpan | null {
  const time = canonicalTime(text);
  if (time === null) return null;
  if (time === "now") return { from: now, to: now };
  const relative = /^-(\d+)([smhdw])$/.exec(time);
  if (relative !== null) return instant(now - Number(relative[1]) * UNIT_MICROS[relative[2]!]!);
  const span = calendarSpan(time, wallTime(now, zone), zone);
  if (span !== null) return span;
  const utc = parseTimestamp(time);
  if (utc !== null) return instant(utc.micros);
  return instant(localMicros(time, zone));
}

function instant(micros: number): TimeSpan {
  return { from: micros, to: micros };
}

function localMicros(time: string, zone: string): number {
  const [, date, hour, minute, second, fraction] = LOCAL.exec(time.toLowerCase())!;
  const [year, month, day] = date!.split("-").map(Number) as [number, number, number];
  const local = { year, month, day, hour: Number(hour), minute: Number(minute), second: Number(second ?? 0) };
  return fromLocal(local, zone) + Number((fraction ?? "").padEnd(6, "0"));
}

function calendarSpan(word: string, today: WallTime, zone: string): TimeSpan | null {
  const { year, month, day, weekday } = today;
  const days = (first: number, count: number) => ({
    from: fromLocal({ year, month, day: day + first }, zone),
    to: fromLocal({ year, month, day: day + first + count }, zone),
  });
  const months = (first: number) => ({
    from: fromLocal({ year, month: month + first, day: 1 }, zone),
    to: fromLocal({ year, month: month + first + 1, day: 1 }, zone),
  });
  const sinceMonday = weekday - 1;
  switch (word) {
    case "today":
      return days(0, 1);
    case "yesterday":
      return days(-1, 1);
    case "this-week":
      return days(-sinceMonday, 7);
    case "last-week":
      return days(-sinceMonday - 7, 7);
    case "this-month":
      return months(0);
    case "last-month":
      return months(-1);
  }
  const named = (WEEKDAYS as readonly string[]).indexOf(word);
  if (named >= 0) return days(-((sinceMonday - named + 7) % 7), 1);
  const date = DATE.exec(word);
  return date === null ? null : dateSpan(date, zone);
}

function dateSpan(date: RegExpExecArray, zone: string): TimeSpan {
  const [year, month, day] = date.slice(1).map(Number) as [number, number, number];
  return { from: fromLocal({ year, month, day }, zone), to: fromLocal({ year, month, day: day + 1 }, zone) };
}

/**
 * The span in which a comparison of a time is true:
 *
 * | comparison | span |
 * |---|---|
 * | `time:today`, `time:2026-11-01` | inside the span |
 * | `time:-2h` | since then |
 * | `time:2026-11-01T14:00` | that minute or second |
 * | `time>=X` | from the start of X |
 * | `time<X` | before the start of X |
 * | `time>X` | after the end of X |
 * | `time<=X` | until the end of X |
 * | `time:a..b` | from the start of a until the end of b |
 *
 * Null if a value is not a time or the operator is none of these.
 */
export function comparedSpan(
  { op, value }: { op: Operator; value: string | readonly string[] },
  context: TimeContext,
): OpenSpan | null {
  if (op === "range") {
    const low = resolveTime(value[0] ?? "", context);
    const high = resolveTime(value[1] ?? "", context);
    return low === null || high === null ? null : { from: low.from, to: high.to };
  }
  if (typeof value !== "string") return null;
  const span = resolveTime(value, context);
  if (span === null) return null;
  switch (op) {
    case "matches":
      if (span.to > span.from) return span;
      return /^-|^now$/.test(value)
        ? { from: span.from, to: null }
        : { from: span.from, to: span.from + precision(value) };
    case ">=":
      return { from: span.from, to: null };
    case "<":
      return { from: null, to: span.from };
    case ">":
      // After an instant means later than it; the smallest step is a microsecond.
      return { from: span.to > span.from ? span.to : span.to + 1, to: null };
    case "<=":
      return { from: null, to: span.to > span.from ? span.to : span.to + 1 };
    default:
      return null;
  }
}

function precision(time: string): number {
  if (/[T ]\d+:\d+$/i.test(time)) return 60 * SECOND;
  return time.includes(".") ? 1 : SECOND;
}

/** The window that the conditions on `time` at the top level give, and the conditions that remain. */
interface TakenWindow {
  /** Null if no condition at the top level names the time. */
  span: OpenSpan | null;
  where: Condition | null;
}

/**
 * Takes the comparisons of `time` at the top level (the whole filter, or parts of its outermost `all`) out of a
 * filter. Several of them narrow each other; elsewhere `time` is an ordinary comparison.
 */
export function takeWindow(where: Condition | null, context: TimeContext): TakenWindow {
  if (where === null) return { span: null, where };
  const parts = isAll(where) ? where.all : [where];
  const rest: Condition[] = [];
  let span: OpenSpan | null = null;
  for (const part of parts) {
    const taken = windowOf(part, context);
    if (taken === null) rest.push(part);
    else span = span === null ? taken : intersection(span, taken);
  }
  if (span === null) return { span, where };
  return { span, where: rest.length === 0 ? null : rest.length === 1 ? rest[0]! : { all: rest } };
}

function windowOf(part: Condition, context: TimeContext): OpenSpan | null {
  if (!("field" in part) || part.field !== "time") return null;
  return timeSpan(part, context);
}

/** As `comparedSpan`, of a comparison of the tree; a list of times is no span. */
export function timeSpan({ op, value }: Comparison, context: TimeContext): OpenSpan | null {
  if (Array.isArray(value)) {
    return op === "range" ? comparedSpan({ op, value: value.map(String) }, context) : null;
  }
  return comparedSpan({ op, value: String(value ?? "") }, context);
}

function intersection(a: OpenSpan, b: OpenSpan): OpenSpan {
  const from = a.from === null ? b.from : b.from === null ? a.from : Math.max(a.from, b.from);
  const to = a.to === null ? b.to : b.to === null ? a.to : Math.min(a.to, b.to);
  return { from, to };
}

/** A filter's own window as a span; null if one of its times is not a time. */
export function windowSpan({ from, to }: FilterWindow, context: TimeContext): TimeSpan | null {
  const start = resolveTime(from, context);
  const end = resolveTime(to, context);
  return start === null || end === null ? null : { from: start.from, to: end.to };
}
