import { wallTime } from "../../../../kit/zone.ts";
import {
  type Asked,
  atMinute,
  day,
  hours,
  local,
  monthDay,
  monthSpan,
  shiftDays,
  type Span,
  startOfDay,
  weekend,
} from "./calendar.ts";
import {
  dateSpan,
  dayNumber,
  monthAt,
  monthOf,
  ordinalDay,
  quarterAt,
  type TimePhrase,
  yearAt,
} from "./dates.ts";
import { MONTHS, NUMBERS, PARTS, SECOND, UNIT_ALIASES, UNITS, WEEKDAYS } from "./time-words.ts";
import type { Token } from "../words/token.ts";

const YESTERDAY = { note: "The time is that of yesterday: that of today is still to come." };
/** Minutes of the day. */
const NOON = 720;
/** `between 9 and 5` are hours of work; `2 and 4` are of the night. */
const WORK_BEGINS = 6 * 60;
/** As `now`. */
const PRESENT = ["presently", "at the moment", "at this moment", "at present", "as of now", "as we speak"]
  .map((words) => words.split(" "));
const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
/** Words between two times. */
const JOINTS = ["and", "to", "until", "till", "through", "-"];
/** Words between a preposition and a time. */
const ARTICLES = new Set(["the", "about", "around", "roughly", "past"]);

/** The time that is stated at a position, with its preposition; null if none is. */
export function timeAt(all: readonly Token[], at: number, asked: Asked): TimePhrase | null {
  const word = all[at]?.text;
  const rest = at + 1;
  const present = PRESENT.find((words) => words.every((one, more) => all[at + more]?.text === one));
  if (present !== undefined) return { from: asked.now - 900 * SECOND, to: asked.now, length: present.length };
  switch (word) {
    case "since":
    case "after":
    case "starting":
      return boundedBelow(
        all,
        word === "starting" && /^(?:from|at)$/.test(all[rest]?.text ?? "") ? rest + 1 : rest,
        at,
        asked,
        word,
      );
    case "before":
    case "until":
    case "till": {
      const start = afterArticle(all, rest);
      const clock = clockSpan(all, start, asked);
      // `until noon` begins with that day.
      if (clock !== null) {
        const from = atMinute(clock.from, 0, asked);
        return { ...clock, from, to: clock.from, length: start - at + clock.length };
      }
      const moment = instantAt(all, start, asked) ?? momentAt(all, start, asked);
      return moment &&
        { from: 0, to: word === "before" ? moment.from : moment.to, length: start - at + moment.length };
    }
    case "between":
    case "from": {
      const between = betweenAt(all, rest, asked);
      if (between !== null) return { ...between, length: between.length + 1 };
      if (word === "between") return null;
      // `from 8am`, but `from monday` is that day.
      const since = clockSpan(all, rest, asked) && boundedBelow(all, rest, at, asked, word);
      return since ?? longer(momentAt(all, rest, asked));
    }
    case "at":
    case "around":
    case "about":
      return longer(clockSpan(all, rest, asked));
    case "in":
    case "on":
    case "during":
    case "over":
    case "within":
    case "for":
    case "throughout":
    case "of": {
      // `during the night`, `in 2026`.
      if (all[rest]?.text === "the" && all[rest + 1]?.text === "night" && all[rest + 2]?.text !== "of") {
        return { ...lastNight(asked, 3), note: 'Read "the night" as last night.' };
      }
      const year = yearAt(all[rest]);
      if (year !== null) {
        return { from: local(asked, year, 1, 1), to: local(asked, year + 1, 1, 1), length: 2 };
      }
      let start = rest;
      while (ARTICLES.has(all[start]?.text ?? "") && momentAt(all, start, asked) === null) start++;
      const moment = momentAt(all, start, asked);
      return moment && { ...moment, length: start - at + moment.length };
    }
    case "the":
      return longer(momentAt(all, rest, asked));
    default:
      return instantsAt(all, at, asked) ?? momentAt(all, at, asked) ?? clocksAt(all, at, asked);
  }
}

/** `8am to 10am`, and after a day `6pm`. */
function clocksAt(all: readonly Token[], at: number, asked: Asked): TimePhrase | null {
  const hasClock = [at, at + 2].some((index) => all[index]?.kind === "clock");
  const between = hasClock ? betweenAt(all, at, asked) : null;
  return between ?? (asked.day === undefined ? null : clockSpan(all, at, asked));
}

/** With the word before it. */
function longer(time: TimePhrase | null): TimePhrase | null {
  return time && { ...time, length: time.length + 1 };
}

function boundedBelow(
  all: readonly Token[],
  start: number,
  at: number,
  asked: Asked,
  word: string,
): TimePhrase | null {
  const first = afterArticle(all, start);
  const count = word === "since" ? countAt(all, first) : null;
  const unit = count === null ? null : unitOf(all[first + count.length]?.text);
  // `since 2 hours`, but `since 2 hours ago`.
  if (count !== null && unit !== null && all[first + count.length + 1]?.text !== "ago") {
    const from = asked.now - count.value * UNITS[unit]!;
    const note = `Read "since" as the last ${count.value === 1 ? unit : `${count.value} ${unit}s`}.`;
    return { from, to: asked.now, length: first - at + count.length + 1, note };
  }
  const moment = clockSpan(all, first, asked) ?? instantAt(all, first, asked) ??
    momentAt(all, first, asked) ??
    hourAt(all, first, asked);
  if (moment === null) return null;
  // `after 9am` begins at nine, `after yesterday` once yesterday is over.
  const isInstant = moment.from === moment.to || all[start]?.kind === "clock" ||
    all[start]?.text === "noon" ||
    all[start]?.text === "midnight";
  const from = word === "after" && !isInstant ? moment.to : moment.from;
  return { ...moment, from, to: asked.now, length: first - at + moment.length };
}

/** `since the 25th`. */
function afterArticle(all: readonly Token[], at: number): number {
  return all[at]?.text === "the" ? at + 1 : at;
}

/** `9am and 5pm yesterday`, `monday and wednesday`, `9 to 17:00`. */
function betweenAt(all: readonly Token[], at: number, asked: Asked): TimePhrase | null {
  const first = clockAt(all[at]);
  const joint = all[at + 1]?.text;
  if (first !== null && JOINTS.includes(joint ?? "")) {
    const second = clockAt(all[at + 2]);
    if (second === null) return null;
    // `2 to 4pm` is in the afternoon, `10 to 2pm` begins in the morning.
    const isAfternoon = all[at]!.kind === "number" && /pm$/.test(all[at + 2]!.text) &&
      first < second - NOON;
    const given = dayAfter(all, at + 3, asked);
    if (given !== null && !isDay(given)) return datesAt(all, at, asked);
    const day = given ?? { from: startOfDay(asked, 0), length: 0 };
    // Late hours to early ones cross midnight; without a day that is the last night.
    const isOfWork = all[at]!.kind === "number" && all[at + 2]!.kind === "number" && second <= first &&
      first >= WORK_BEGINS && first < NOON;
    const end = isOfWork ? second + NOON : second;
    const crosses = end <= first;
    const isEarly = given === null && atMinute(day.from, first, asked) > asked.now;
    const isLate = given !== null && atMinute(given.from, first, asked) < given.from &&
      atMinute(given.from, first + 1440, asked) < given.to;
    const base = shiftDays(day.from, isEarly ? -1 : isLate ? 1 : 0, asked);
    return {
      from: atMinute(base, first + (isAfternoon ? NOON : 0), asked),
      to: atMinute(crosses ? shiftDays(base, 1, asked) : base, end, asked),
      length: 3 + day.length,
      ...isEarly && !crosses ? YESTERDAY : {},
    };
  }
  const dates = datesAt(all, at, asked);
  if (dates !== null) return dates;
  const instant = instantAt(all, at, asked);
  const from = instant ?? momentAt(all, at, asked);
  const second = at + (from?.length ?? 0);
  if (from === null || !JOINTS.includes(all[second]?.text ?? "")) return null;
  const clock = instant && clockAfter(all, second + 1, instant, asked);
  const to = clock ?? instantAt(all, second + 1, asked) ?? momentAt(all, second + 1, asked);
  return to && to.to > from.from ? { from: from.from, to: to.to, length: second + 1 - at + to.length } : null;
}

/** The next such clock time after an instant: `yesterday noon till midnight`. */
function clockAfter(all: readonly Token[], at: number, { from }: Span, asked: Asked): TimePhrase | null {
  const clock = clockSpan(all, at, { ...asked, day: from });
  if (clock === null) return null;
  const isNextDay = clock.from <= from && clock.length === 1;
  const to = isNextDay ? atMinute(from, clockAt(all[at])! + 1440, asked) : clock.from;
  return { from: to, to, length: clock.length };
}

/** `20 to 22 november`. */
function datesAt(all: readonly Token[], at: number, asked: Asked): TimePhrase | null {
  // `the second and the fifth of november`.
  const start = afterArticle(all, at);
  const joint = start + 1;
  const second = afterArticle(all, joint + 1);
  const of = all[second + 1]?.text === "of" ? second + 2 : second + 1;
  const [first, last] = [
    dayNumber(all[start]) ?? ordinalOf(all[start]),
    dayNumber(all[second]) ?? ordinalOf(all[second]),
  ];
  const month = monthOf(all[of]?.text);
  if (first === null || last === null || month === null || !JOINTS.includes(all[joint]?.text ?? "")) {
    return null;
  }
  const year = yearAt(all[of + 1]);
  const from = monthDay(month, first, year, asked);
  return {
    from: from.from,
    to: monthDay(month, last, year, asked).to,
    length: of + (year === null ? 1 : 2) - at,
  };
}

/** From 1; null for another word. */
function ordinalOf(token: Token | undefined): number | null {
  const at = ORDINALS.indexOf(token?.text ?? "");
  return at < 0 ? null : at + 1;
}

/** A day with a clock time: `friday 17:00`, `yesterday at 6pm`. */
function instantAt(all: readonly Token[], at: number, asked: Asked): TimePhrase | null {
  const day = momentAt(all, at, asked);
  if (day === null || !isDay(day)) return null;
  const next = at + day.length + (all[at + day.length]?.text === "at" ? 1 : 0);
  const clock = clockSpan(all, next, { ...asked, day: day.from });
  return clock && { from: clock.from, to: clock.from, length: next - at + clock.length };
}

/** `friday 17:00 to monday 07:30`. */
function instantsAt(all: readonly Token[], at: number, asked: Asked): TimePhrase | null {
  return instantAt(all, at, asked) && betweenAt(all, at, asked);
}

/** A day named after clock times, perhaps with `on`, or before them. */
function dayAfter(all: readonly Token[], at: number, asked: Asked): TimePhrase | null {
  const skip = all[at]?.text === "on" ? 1 : 0;
  const day = momentAt(all, at + skip, asked);
  if (day !== null) return { ...day, length: skip + day.length };
  return asked.day === undefined ? null : { from: asked.day, to: shiftDays(asked.day, 1, asked), length: 0 };
}

function clockAt(token: Token | undefined): number | null {
  if (token === undefined) return null;
  // `0215`, `1800h`; `2026` is a year.
  const [, hour, minute] = /^([01]\d|2[0-3])([0-5]\d)h?$/.exec(token.text) ?? [];
  if (minute !== undefined && (hour !== "20" || token.text.endsWith("h"))) {
    return Number(hour) * 60 + Number(minute);
  }
  if (token.kind === "clock") return token.value!;
  if (token.kind === "number" && Number.isInteger(token.value) && token.value! <= 24) {
    return token.value! * 60;
  }
  if (token.text === "noon") return NOON;
  return token.text === "midnight" ? 0 : null;
}

/** `9am yesterday`, `14:30`: the half hour from then on, as an instant has no flows. */
function clockSpan(all: readonly Token[], at: number, asked: Asked): TimePhrase | null {
  const token = all[at];
  const isNumber = token?.kind === "number" && !/^\d{4}$/.test(token.text);
  const minute = isNumber ? null : clockAt(token);
  if (minute === null) return null;
  const given = dayAfter(all, at + 1, asked);
  let from = atMinute(given?.from ?? startOfDay(asked, 0), minute, asked);
  const isYesterday = given === null && from > asked.now;
  if (isYesterday) from = atMinute(startOfDay(asked, -1), minute, asked);
  if (given !== null) from = inNight(given, from, atMinute(given.from, minute + 1440, asked));
  return {
    from,
    to: from + 1800 * SECOND,
    length: 1 + (given?.length ?? 0),
    ...isYesterday ? YESTERDAY : {},
  };
}

/** The time of the day on which a part of it begins, or of the next one: `2am last night`. */
function inNight({ from, to }: Span, first: number, next: number): number {
  return first < from && next < to ? next : first;
}

/** `7 this morning`, `9 yesterday evening`. */
function hourAt(all: readonly Token[], at: number, asked: Asked): TimePhrase | null {
  const minute = all[at]?.kind === "number" ? clockAt(all[at]) : null;
  const part = minute === null ? null : momentAt(all, at + 1, asked);
  if (part === null || !isDay(part)) return null;
  const times = [0, NOON, 1440].map((more) => atMinute(part.from, minute! + more, asked));
  const from = times.find((time) => time >= part.from && time < part.to) ?? times[0]!;
  return { from, to: from + 1800 * SECOND, length: 1 + part.length };
}

function isDay({ from, to }: Span): boolean {
  return to - from <= 25 * UNITS.hour!;
}

/** A time without a preposition: `yesterday`, `last 2 hours`, `monday`, `3 days ago`, `november 20`. */
function momentAt(all: readonly Token[], at: number, asked: Asked): TimePhrase | null {
  const token = all[at];
  if (token === undefined || token.kind === "quoted") return null;
  const word = token.text;
  const next = all[at + 1]?.text;
  if (token.kind === "date") return dateSpan(word, asked);
  const isRightNow = (word === "just" || word === "right") && next === "now";
  if (isRightNow || word === "now" || word === "currently") {
    return { from: asked.now - 900 * SECOND, to: asked.now, length: isRightNow ? 2 : 1 };
  }
  if (word === "recently" || word === "lately") {
    return { from: asked.now - UNITS.day!, to: asked.now, length: 1 };
  }
  if (word === "day" && next === "before" && all[at + 2]?.text === "yesterday") {
    return { ...day(asked, -2), length: 3 };
  }
  if (word === "today") return partOf(all, at, day(asked, 0), asked);
  if (word === "yesterday") return partOf(all, at, day(asked, -1), asked);
  if (word === "tonight") {
    const tonight = hours(startOfDay(asked, 0), PARTS.evening!, asked);
    return tonight.from < asked.now
      ? { ...tonight, length: 1 }
      : { ...lastNight(asked, 1), note: 'Read "tonight" as last night: this one is still to come.' };
  }
  if (word === "overnight") return lastNight(asked, 1);
  if (word === "noon" || word === "midnight") return clockSpan(all, at, asked);
  if (word === "this" || word === "current") return calendarAt(all, at, asked, 0);
  if (word === "last" || word === "past" || word === "previous" || word === "latest" || word === "recent") {
    return agoing(all, at, asked, word);
  }
  const ago = agoAt(all, at, asked);
  if (ago !== null) return ago;
  const weekday = weekdayOf(word);
  // `saturday and sunday`: only days that follow each other are one time.
  if (
    weekday >= 0 && (next === "and" || next === "or") && weekdayOf(all[at + 2]?.text ?? "") === weekday + 1
  ) {
    const [first, last] = [weekday, weekday + 1].map((one) => day(asked, -daysSince(one, asked)));
    if (first!.to === last!.from) return { from: first!.from, to: last!.to, length: 3 };
  }
  if (weekday >= 0) {
    const since = daysSince(weekday, asked);
    const part = partOf(all, at, day(asked, -since), asked);
    return since > 0 ? part : { ...part, note: `Read "${word}" as today.` };
  }
  if (/^\d{1,2}(?:st|nd|rd|th)$/.test(word) && monthOf(next) === null && next !== "of") {
    return ordinalDay(Number.parseInt(word), asked);
  }
  if (word === "weekend") return { ...weekend(asked, 0), length: 1 };
  const quarter = /^q([1-4])$/.exec(word)?.[1];
  if (quarter !== undefined) return quarterAt(all, at, Number(quarter), asked);
  return monthAt(all, at, asked);
}

/** From 0, Monday; -1 for another word. */
function weekdayOf(word: string): number {
  return WEEKDAYS.indexOf(word.replace(/^(mon|tue|tues|wed|thu|thurs|fri|sat|sun)$/, longWeekday));
}

function longWeekday(short: string): string {
  return WEEKDAYS.find((name) => name.startsWith(short.slice(0, 3)))!;
}

/** Days since the last such weekday, 0 if it is today; `weekday` from 0, Monday. */
function daysSince(weekday: number, asked: Asked): number {
  return (wallTime(asked.now, asked.zone).weekday - 1 - weekday + 7) % 7;
}

/** `last 2 hours`, `last week`, `past month`, `last night`, `last monday`. */
function agoing(all: readonly Token[], at: number, asked: Asked, word: string): TimePhrase | null {
  const next = all[at + 1];
  if (next === undefined) return null;
  if (next.kind === "duration") {
    return { from: asked.now - next.value! * SECOND, to: asked.now, length: 2 };
  }
  const number = countAt(all, at + 1);
  if (number !== null) {
    const unit = unitOf(all[at + 1 + number.length]?.text);
    // `last 24`.
    if (unit === null && next.kind === "number" && [12, 24, 48, 72].includes(number.value)) {
      const from = asked.now - number.value * UNITS.hour!;
      return { from, to: asked.now, length: 2, note: `Read "${word} ${number.value}" as hours.` };
    }
    if (unit === null) return null;
    return { from: asked.now - number.value * UNITS[unit]!, to: asked.now, length: 2 + number.length };
  }
  if (word === "recent" || word === "latest") return null;
  if (next.text === "night") return lastNight(asked, 2);
  if (next.text === "weekend") return { ...weekend(asked, -1), length: 2 };
  const weekday = WEEKDAYS.indexOf(next.text);
  if (weekday >= 0) return partOf(all, at + 1, day(asked, -(daysSince(weekday, asked) || 7)), asked, 1);
  const month = MONTHS.indexOf(next.text);
  if (month >= 0) return { ...monthSpan(month, null, asked), length: 2 };
  if (PARTS[next.text] !== undefined) {
    return { ...hours(startOfDay(asked, -1), PARTS[next.text]!, asked), length: 2 };
  }
  const unit = unitOf(next.text);
  if (unit === null) return null;
  // `last week` is the one before this, `past week` the seven days until now.
  if (word !== "past" && ["week", "month", "quarter", "year"].includes(unit)) {
    return calendarAt(all, at, asked, -1);
  }
  return { from: asked.now - UNITS[unit]!, to: asked.now, length: 2 };
}

/** `this week`, `this morning`; `shift` -1 for the one before. */
function calendarAt(all: readonly Token[], at: number, asked: Asked, shift: number): TimePhrase | null {
  const word = all[at + 1]?.text ?? "";
  if (PARTS[word] !== undefined) return { ...hours(startOfDay(asked, 0), PARTS[word]!, asked), length: 2 };
  if (word === "weekend") return { ...weekend(asked, 0), length: 2 };
  const weekday = WEEKDAYS.indexOf(word);
  if (weekday >= 0) return partOf(all, at + 1, day(asked, -daysSince(weekday, asked)), asked, 1);
  const unit = unitOf(word);
  const { year, month, day: today, weekday: inWeek } = wallTime(asked.now, asked.zone);
  const starts: Record<string, [number, number]> = {
    day: [local(asked, year, month, today), local(asked, year, month, today + 1)],
    week: [
      local(asked, year, month, today - inWeek + 1 + 7 * shift),
      local(asked, year, month, today - inWeek + 8 + 7 * shift),
    ],
    month: [local(asked, year, month + shift, 1), local(asked, year, month + shift + 1, 1)],
    quarter: [
      local(asked, year, month - (month - 1) % 3 + 3 * shift, 1),
      local(asked, year, month - (month - 1) % 3 + 3 * shift + 3, 1),
    ],
    year: [local(asked, year + shift, 1, 1), local(asked, year + shift + 1, 1, 1)],
  };
  if (unit === null) return null;
  const span = starts[unit];
  if (span === undefined) return { from: asked.now - UNITS[unit]!, to: asked.now, length: 2 };
  return { from: span[0], to: span[1], length: 2 };
}

/** `3 days ago`: that day; `2 hours ago`: the hour that began then. */
function agoAt(all: readonly Token[], at: number, asked: Asked): TimePhrase | null {
  const number = countAt(all, at);
  if (number === null) return null;
  const unit = unitOf(all[at + number.length]?.text);
  if (unit === null || all[at + number.length + 1]?.text !== "ago") return null;
  const length = number.length + 2;
  const isWhole = Number.isInteger(number.value);
  if (unit === "day" && isWhole) return { ...day(asked, -number.value), length };
  if (unit === "week" && isWhole) return { ...day(asked, -7 * number.value), length };
  const from = asked.now - number.value * UNITS[unit]!;
  return { from, to: Math.min(asked.now, from + UNITS[unit]!), length };
}

function countAt(all: readonly Token[], at: number): { value: number; length: number } | null {
  const token = all[at];
  if (token === undefined) return null;
  if (token.kind === "number") return { value: token.value!, length: 1 };
  const named = NUMBERS[token.text];
  // `half an hour`.
  if (token.text === "half" && /^an?$/.test(all[at + 1]?.text ?? "")) return { value: 0.5, length: 2 };
  if (token.text === "couple" && all[at + 1]?.text === "of") return { value: 2, length: 2 };
  if (token.text === "a" && (all[at + 1]?.text === "few" || all[at + 1]?.text === "couple")) {
    const inner = countAt(all, at + 1)!;
    return { value: inner.value, length: inner.length + 1 };
  }
  return named === undefined ? null : { value: named, length: 1 };
}

function unitOf(word: string | undefined): string | null {
  if (word === undefined) return null;
  const single = word.endsWith("s") && word.length > 2 ? word.slice(0, -1) : word;
  const unit = UNIT_ALIASES[single] ?? single;
  return UNITS[unit] === undefined ? null : unit;
}

/** A day, or its morning, afternoon, evening or night if the next word says so. */
function partOf(all: readonly Token[], at: number, of: Span, asked: Asked, before = 0): TimePhrase {
  const part = PARTS[all[at + 1]?.text ?? ""];
  if (part === undefined) return { ...of, length: before + 1 };
  return { ...hours(of.from, part, asked), length: before + 2 };
}

function lastNight(asked: Asked, length: number): TimePhrase {
  return { ...hours(startOfDay(asked, -1), PARTS.night!, asked), length };
}
