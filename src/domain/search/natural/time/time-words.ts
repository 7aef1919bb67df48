// Words of times, with what they stand for.

export const SECOND = 1_000_000;
export const UNITS: Record<string, number> = {
  second: SECOND,
  minute: 60 * SECOND,
  hour: 3600 * SECOND,
  day: 86_400 * SECOND,
  week: 7 * 86_400 * SECOND,
  fortnight: 14 * 86_400 * SECOND,
  month: 30 * 86_400 * SECOND,
  quarter: 91 * 86_400 * SECOND,
  year: 365 * 86_400 * SECOND,
};
export const UNIT_ALIASES: Record<string, string> = { sec: "second", min: "minute", hr: "hour" };
export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
export const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
/** Words for whole numbers. */
export const WHOLE_NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
};
export const NUMBERS: Readonly<Record<string, number>> = {
  ...WHOLE_NUMBERS,
  half: 0.5,
  few: 3,
  couple: 2,
};
/** Hours of the day, from and to; `night` belongs to the day on which it begins. */
export const PARTS: Record<string, [number, number]> = {
  morning: [6, 12],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [20, 30],
};
