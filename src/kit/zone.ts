// Wall clock times of IANA zones. Times are microseconds since the epoch.

import { BoundedMap } from "./bounded-map.ts";

/** A local date and time; `month` from 1, `weekday` from 1 (Monday). */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  weekday: number;
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/** Zones are spelled in any letter case, by clients too. */
const formats = new BoundedMap<string, Intl.DateTimeFormat>(1000);

/** @throws RangeError for an unknown zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
      weekday: "short",
      era: "short",
    });
    formats.set(zone, format);
  }
  return format;
}

/** Whether the runtime knows the zone. */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The wall clock of a zone at a time. */
export function wallTime(micros: number, zone: string): WallTime {
  const parts = Object.fromEntries(
    formatOf(zone).formatToParts(Math.floor(micros / 1000)).map(({ type, value }) => [type, value]),
  );
  return {
    year: Number(parts.year),
    month: Number(parts.month),
    day: Number(parts.day),
    hour: Number(parts.hour),
    minute: Number(parts.minute),
    second: Number(parts.second),
    weekday: WEEKDAYS.indexOf(parts.weekday!) + 1,
  };
}

/** A local date with an optional time; `day` may lie outside the month, as `Date.UTC` takes it. */
export interface LocalTime {
  year: number;
  month: number;
  day: number;
  hour?: number;
  minute?: number;
  second?: number;
}

/**
 * The time at which a zone's clocks show a local time. Of a repeated hour it is the first; a skipped local time
 * gives the moment of the jump, so that a day that begins in a gap begins at its first instant.
 */
export function fromLocal(local: LocalTime, zone: string): number {
  const { year, month, day, hour = 0, minute = 0, second = 0 } = local;
  const wanted = Date.UTC(year, month - 1, day, hour, minute, second) * 1000;
  // Offsets of any zone lie within a day; the two candidates surround a change of clocks.
  const before = wanted - offsetAt(wanted - 86_400_000_000, zone);
  const after = wanted - offsetAt(wanted + 86_400_000_000, zone);
  const fitting = [before, after].filter((micros) => micros + offsetAt(micros, zone) === wanted);
  if (fitting.length > 0) return Math.min(...fitting);
  return changeBetween(Math.min(before, after), Math.max(before, after), zone);
}

/** Microseconds that a zone's clocks are ahead of UTC. */
function offsetAt(micros: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallTime(micros, zone);
  const whole = Math.floor(micros / 1_000_000) * 1_000_000;
  return Date.UTC(year, month - 1, day, hour, minute, second) * 1000 - whole;
}

/** The first second at which the offset differs from that at `from`. */
function changeBetween(from: number, to: number, zone: string): number {
  const old = offsetAt(from, zone);
  let [low, high] = [Math.floor(from / 1_000_000), Math.ceil(to / 1_000_000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * 1_000_000, zone) === old) low = middle;
    else high = middle;
  }
  return high * 1_000_000;
}
