// Numbers and names for the texts that an analyst reads.
import { formatMillis } from "./time.ts";

const SPAN_UNITS = [[86_400, "d"], [3600, "h"], [60, "min"], [1, "s"]] as const;
const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];

/** Milliseconds in at most two units: `420 ms`, `7.5 s`, `58 s`, `12 min`, `2 h 42 min`, `2 d 7 h`. */
export function span(milliseconds: number): string {
  const value = Math.max(0, milliseconds);
  if (value < 0.5) return "0 s";
  if (value < 999.5) return `${Math.round(value)} ms`;
  const seconds = value / 1000;
  if (seconds < 9.95) return `${trim(seconds, 1)} s`;
  const whole = Math.round(seconds);
  const first = SPAN_UNITS.findIndex(([size]) => whole >= size);
  const [size, name] = SPAN_UNITS[first]!;
  const text = `${Math.floor(whole / size)} ${name}`;
  const next = SPAN_UNITS[first + 1];
  const rest = next === undefined ? 0 : Math.floor((whole % size) / next[0]);
  return rest === 0 ? text : `${text} ${rest} ${next![1]}`;
}

/** Seconds as `span` writes them. */
export function duration(seconds: number): string {
  return span(seconds * 1000);
}

/** Lengths of `2012-10-07` and `2012-10-07 14:33`. */
const DATE = 10;
const MINUTE = 16;

/** `2012-10-07 14:33 UTC`. */
export function moment(at: number): string {
  return formatMillis(at).slice(0, MINUTE).replace("T", " ") + " UTC";
}

/**
 * `at 2012-10-07 14:33 UTC`, `between 2012-10-07 14:33 and 16:01 UTC`; the second date only if it differs.
 */
export function within(first: number, last: number): string {
  const [from, to] = [moment(first), moment(last)];
  if (from === to) return `at ${from}`;
  return from.slice(0, DATE) === to.slice(0, DATE)
    ? `between ${from.slice(0, MINUTE)} and ${to.slice(DATE + 1)}`
    : `between ${from} and ${to}`;
}

/** Bytes in decimal units, three significant digits: `587 B`, `19.6 kB`, `2.24 MB`. */
export function size(bytes: number | bigint): string {
  return inUnits(bytes, BYTE_UNITS, " ");
}

/** A number in three significant digits and the largest unit that leaves at least 1; each unit is a thousand of the last. */
export function inUnits(value: number | bigint, units: readonly string[], separator: string): string {
  let rest = Number(value);
  let unit = 0;
  // 999.5 would be shown as 1000 of the smaller unit.
  while (rest >= 999.5 && unit < units.length - 1) {
    rest /= 1000;
    unit++;
  }
  const digits = unit === 0 || rest >= 99.95 ? 0 : rest >= 9.995 ? 1 : 2;
  const suffix = units[unit] ?? "";
  return suffix === "" ? rest.toFixed(digits) : rest.toFixed(digits) + separator + suffix;
}

/** `192.0.2.7:443`, `[2001:db8::1]:443`. */
export function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** An integer with every digit, in groups of three: `12,345`. */
export function exact(value: number | bigint): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 device`, `3 devices`. */
export function plural(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? "" : "s"}`;
}

/**
 * `1 device`, `at least 3 devices`: for a count that goes on after the text was written, which is written again
 * at growing counts.
 */
export function atLeast(value: number, noun: string): string {
  return value === 1 ? plural(value, noun) : `at least ${plural(value, noun)}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function list(items: readonly string[]): string {
  return items.length < 2
    ? items.join("")
    : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** A text from a record, cut to fit a sentence. */
export function shortened(text: string, limit = 80): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

function trim(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
