import { fromLocal, type WallTime, wallTime } from "../../../../kit/zone.ts";

/** When a question is asked, and where. */
export interface Asked {
  /** Microseconds. */
  now: number;
  /** IANA name. */
  zone: string;
  /** Names of the site's VLANs. */
  vlans?: readonly string[];
  /** Names of devices, owners and people that words of the question may be; without them any word may be a name. */
  names?: readonly string[];
  /** Those of them who work on incidents. */
  people?: readonly string[];
  /** The start of the day that the question has named so far, for clock times without one. */
  day?: number;
}

/** Half-open span in microseconds. */
export interface Span {
  from: number;
  to: number;
}

/** Without a year, the last such day that is not in the future. */
export function monthDay(month: number, date: number, year: number | null, asked: Asked): Span {
  const now = wallTime(asked.now, asked.zone);
  const past = month + 1 < now.month || month + 1 === now.month && date <= now.day;
  const of = year ?? (past ? now.year : now.year - 1);
  return { from: local(asked, of, month + 1, date), to: local(asked, of, month + 1, date + 1) };
}

export function monthSpan(month: number, year: number | null, asked: Asked): Span {
  const now = wallTime(asked.now, asked.zone);
  const of = year ?? (month + 1 <= now.month ? now.year : now.year - 1);
  return { from: local(asked, of, month + 1, 1), to: local(asked, of, month + 2, 1) };
}

/** The weekend of this week, or the last one that has begun; `shift` -1 for one that is over. */
export function weekend(asked: Asked, shift: number): Span {
  const { year, month, day: today, weekday } = wallTime(asked.now, asked.zone);
  const saturday = today + 6 - weekday;
  const begun = weekday >= 6;
  const back = shift < 0 ? 7 : begun ? 0 : 7;
  return {
    from: local(asked, year, month, saturday - back),
    to: local(asked, year, month, saturday - back + 2),
  };
}

export function day(asked: Asked, shift: number): Span {
  return { from: startOfDay(asked, shift), to: startOfDay(asked, shift + 1) };
}

export function startOfDay(asked: Asked, shift: number): number {
  const { year, month, day } = wallTime(asked.now, asked.zone);
  return local(asked, year, month, day + shift);
}

export function shiftDays(from: number, days: number, asked: Asked): number {
  const { year, month, day } = wallTime(from, asked.zone);
  return local(asked, year, month, day + days);
}

export function hours(from: number, [first, last]: [number, number], asked: Asked): Span {
  return { from: atMinute(from, first * 60, asked), to: atMinute(from, last * 60, asked) };
}

/** A wall clock time of the day that begins at `from`; minutes beyond the day reach into the next. */
export function atMinute(from: number, minute: number, asked: Asked): number {
  const { year, month, day }: WallTime = wallTime(from, asked.zone);
  const over = Math.floor(minute / 1440);
  const rest = minute % 1440;
  return fromLocal(
    { year, month, day: day + over, hour: Math.floor(rest / 60), minute: rest % 60 },
    asked.zone,
  );
}

export function local({ zone }: Asked, year: number, month: number, day: number): number {
  return fromLocal({ year, month, day }, zone);
}
