// Numbers and names for the texts that an analyst reads.
import { formatMillis } from "./time.ts";

/** `0.4 seconds`, `58 seconds`, `12 minutes`, `2.7 hours`, `3.1 days`. */
export function duration(seconds: number): string {
  if (seconds < 10) return count(seconds, "second", 1);
  if (seconds < 120) return count(seconds, "second", 0);
  if (seconds < 7200) return count(seconds / 60, "minute", 0);
  if (seconds < 172_800) return count(seconds / 3600, "hour", 1);
  return count(seconds / 86_400, "day", 1);
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

/** `587 bytes`, `19.6 kB`, `2.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 10_000) return `${Math.round(bytes)} bytes`;
  return bytes < 1e6 ? `${trim(bytes / 1000, 1)} kB` : `${trim(bytes / 1e6, 1)} MB`;
}

/** `192.0.2.7:443`, `[2001:db8::1]:443`. */
export function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** `1 device`, `3 devices`. */
export function plural(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? "" : "s"}`;
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

function count(value: number, unit: string, digits: number): string {
  const text = trim(value, digits);
  return `${text} ${unit}${text === "1" ? "" : "s"}`;
}

function trim(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
