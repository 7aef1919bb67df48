export interface Timestamp {
  /**
   * Microseconds since the Unix epoch, UTC, rounded down. Exact between 1684 and 2255; beyond, the nearest
   * integer that a double holds.
   */
  micros: number;
  /** UTC text with every digit of the fraction, trailing zeros trimmed: `2026-11-21T01:02:03.1234567Z`. */
  canonical: string;
}

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:([Zz])|([+-])(\d{2}):?(\d{2}))$/;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Parses an RFC 3339 timestamp; also offsets without a colon (`+0000`, as Suricata writes them), a lower-case
 * `t` or `z`, and a fraction of any length. `null` for anything else: no offset, a date that does not exist,
 * a UTC year outside 0000 to 9999. A leap second is accepted where one can occur (23:59:60 UTC on the last
 * day of a month); it keeps its text and gets the microseconds of the following second, as in POSIX.
 */
export function parseTimestamp(text: string): Timestamp | null {
  return plainUtc(text) ?? anyTimestamp(text);
}

/** The usual form, `2026-11-21T01:02:03` with an optional fraction and `Z`; null for any other text. */
function plainUtc(text: string): Timestamp | null {
  const end = text.length - 1;
  if (end < 19 || end === 20 || text.charCodeAt(end) !== 0x5a || text.charCodeAt(10) !== 0x54) return null;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return null;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return null;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  // NaN, from something that is not a digit, fails every comparison.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return null;
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return null;
  let micros = 0;
  // The end of the text without trailing zeros.
  let last = 19;
  if (end > 19) {
    if (text.charCodeAt(19) !== DOT) return null;
    let unit = 100_000;
    for (let at = 20; at < end; at++) {
      const digit = text.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) return null;
      micros += digit * unit;
      unit = unit > 1 ? unit / 10 : 0;
      if (digit > 0) last = at + 1;
    }
  }
  const seconds = epochDay(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
  return { micros: seconds * 1e6 + micros, canonical: last === end ? text : text.slice(0, last) + "Z" };
}

const ZERO = 0x30;
const DASH = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

function anyTimestamp(text: string): Timestamp | null {
  const match = RFC3339.exec(text);
  if (match === null) return null;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6]);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  const fraction = trimZeros(match[7] ?? "");

  let offset = 0;
  if (match[8] === undefined) {
    const hours = Number(match[10]);
    const minutes = Number(match[11]);
    if (hours > 23 || minutes > 59) return null;
    offset = (hours * 60 + minutes) * (match[9] === "-" ? -60 : 60);
  }

  const leap = second === 60 ? 1 : 0;
  const seconds = epochDay(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - leap - offset;
  let whole = text.slice(0, 10) + "T" + text.slice(11, 19);
  if (offset !== 0) {
    const utc = isoSeconds(seconds);
    if (utc === null) return null;
    whole = leap === 1 ? utc.slice(0, 17) + "60" : utc;
  }
  if (leap === 1 && !isLeapSecondPlace(whole)) return null;
  const micros = (seconds + leap) * 1e6 + Number((fraction + "000000").slice(0, 6));
  return { micros, canonical: fraction === "" ? whole + "Z" : `${whole}.${fraction}Z` };
}

/** `2026-11-21T01:02:03.123Z`, rounded down to the millisecond. */
export function formatMillis(micros: number): string {
  const milliseconds = Math.floor(micros / 1000);
  const day = Math.floor(milliseconds / DAY_MILLISECONDS);
  if (day !== lastDay.day) {
    lastDay = { day, text: new Date(day * DAY_MILLISECONDS).toISOString().slice(0, -MIDNIGHT.length) };
  }
  const rest = milliseconds - day * DAY_MILLISECONDS;
  const seconds = Math.floor(rest / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${lastDay.text}${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${
    TWO_DIGITS[seconds % 60]
  }.${THREE_DIGITS[rest % 1000]}Z`;
}

const DAY_MILLISECONDS = 86_400_000;
const MIDNIGHT = "00:00:00.000Z";
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));
const THREE_DIGITS = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, "0"));

/** Times that are formatted together mostly share a day; the day up to its `T`. */
let lastDay = { day: 0, text: "1970-01-01T" };

/** `2026-11-21T01:02:03.123456Z`. */
export function formatMicros(micros: number): string {
  const ms = Math.floor(micros / 1000);
  const rest = micros - ms * 1000;
  return new Date(ms).toISOString().slice(0, -1) + String(rest).padStart(3, "0") + "Z";
}

function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : DAYS_IN_MONTH[month - 1]!;
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar (`Date.UTC` reads the years 0 to 99 as 19xx). */
function epochDay(year: number, month: number, day: number): number {
  // Years start in March, so that the leap day is the last day of a year.
  const shifted = month <= 2 ? year - 1 : year;
  const monthFromMarch = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}

/** `YYYY-MM-DDTHH:MM:SS`, or `null` outside the years 0000 to 9999. */
function isoSeconds(seconds: number): string | null {
  const text = new Date(seconds * 1000).toISOString();
  return text.length === 24 ? text.slice(0, 19) : null;
}

function isLeapSecondPlace(utc: string): boolean {
  const day = Number(utc.slice(8, 10));
  return utc.slice(11) === "23:59:60" &&
    day === daysInMonth(Number(utc.slice(0, 4)), Number(utc.slice(5, 7)));
}
