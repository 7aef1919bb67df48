// Formats numbers and times for people. Absent is "–", never 0: unmeasured is not zero.

import { inUnits, size, span } from "../../kit/text.ts";
import { browserZone, currentZone, zoneName } from "../base/time/zone.ts";

export const ABSENT = "–";

const COUNT_UNITS = ["", "k", "M", "G", "T", "P", "E"];

/** Bytes in decimal units, three significant digits: `1.23 MB`. */
export function formatBytes(bytes: number | bigint | null): string {
  return bytes === null ? ABSENT : size(bytes);
}

/** A count in three significant digits: `12.3k`. */
export function formatCount(count: number | bigint | null): string {
  return count === null ? ABSENT : inUnits(count, COUNT_UNITS, "");
}

const EXACT = new Intl.NumberFormat("en-GB");

/** A count with every digit: `12,345`. */
export function formatExact(count: number | bigint | null): string {
  return count === null ? ABSENT : EXACT.format(count);
}

/** A span of milliseconds in at most two units: `2 h 40 min`. */
export function formatSpan(milliseconds: number): string {
  return milliseconds < 0 ? ABSENT : span(milliseconds);
}

/** `just now`, `12 s ago`, `3 h ago`; a time up to a minute in the future is `just now`. */
export function formatAgo(at: string, now: number): string {
  const age = now - Date.parse(at);
  if (age < -60_000) return `in ${formatSpan(-age).split(" ").slice(0, 2).join(" ")}`;
  if (age < 5000) return "just now";
  return `${formatSpan(Math.round(age / 1000) * 1000).split(" ").slice(0, 2).join(" ")} ago`;
}

const DAY = { day: "numeric", month: "short" } as const;
const YEAR = { ...DAY, year: "numeric" } as const;
const MINUTES = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const SECONDS = { ...MINUTES, second: "2-digit" } as const;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are costly to make, and a list shows hundreds of times. */
function formatOf(name: string, options: Intl.DateTimeFormatOptions, zone: string): Intl.DateTimeFormat {
  const key = `${name} ${zone}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone });
    formats.set(key, format);
  }
  return format;
}

/**
 * A time without the day for today and without the year for this year; `short` leaves out seconds. The zone is the
 * one that the top bar shows; a component that stays on screen calls `useZone`, or uses `Time`.
 */
export function formatTime(at: string | number, now: number, short = false, zone = currentZone()): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return String(at);
  const clock = short ? MINUTES : SECONDS;
  const day = formatDay(time.getTime(), zone);
  const today = formatDay(now, zone);
  const size = short ? "short" : "long";
  if (day === today) return formatOf(`today ${size}`, clock, zone).format(time);
  return day.slice(-4) === today.slice(-4)
    ? formatOf(`day ${size}`, { ...DAY, ...clock }, zone).format(time)
    : formatOf(`year ${size}`, { ...YEAR, ...clock }, zone).format(time);
}

/** A date: `24 Mar 2018`. */
export function formatDay(at: string | number, zone = currentZone()): string {
  return formatOf("date", YEAR, zone).format(new Date(at));
}

/**
 * The exact time in the shown zone and in UTC, each with its zone: for titles. If UTC is shown, the other zone is that of
 * the browser.
 */
export function exactTime(at: string, zone = currentZone(), browser = browserZone()): string {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return at;
  const utc = `${at.replace("T", " ").replace(/Z$/, "")} UTC`;
  const other = zone === "UTC" ? browser : zone;
  if (other === "UTC") return utc;
  const local = formatOf("exact", { ...YEAR, ...SECONDS, fractionalSecondDigits: 3 }, other).format(time);
  return `${local} ${zoneName(other, time)}, ${utc}`;
}

/** A score as a whole number, never rounded up into the next severity or to 100. */
export function formatScore(score: number): string {
  return String(Math.floor(score));
}

/** `60 %` for a share from 0 to 1. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return "< 1 %";
  if (percent === 100 && share < 1) return "> 99 %";
  return `${percent} %`;
}

/** `false_positive` as `False positive`. */
export function formatLabel(value: string): string {
  if (value === "ok") return "OK";
  const text = value.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1 flow`, `2 flows`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatExact(count)} ${count === 1 ? one : many}`;
}
