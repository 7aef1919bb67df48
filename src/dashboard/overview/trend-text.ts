// What a number of today is compared with, in words.

import type { TrendFigure, WorkFigure } from "../../contract/brief/trends.ts";

type Known = NonNullable<TrendFigure["today"]>;

/** `5 yesterday by now, 2 a week ago`; what is unknown is left out. `whole`: the earlier days are whole ones. */
export function comparedDays(
  { yesterday, week_before }: TrendFigure,
  format: (value: Known) => string,
  whole = false,
): string {
  const parts = [
    yesterday === null ? null : `${format(yesterday)} ${whole ? "all of yesterday" : "yesterday by now"}`,
    week_before === null ? null : `${format(week_before)} a week ago`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "no earlier day is known" : parts.join(", ");
}

/** `21 in 7 days, 17 in the 7 before`; null if nothing is known. */
export function comparedWeeks(
  { value, previous }: WorkFigure,
  format: (value: Known) => string,
): string | null {
  if (value === null) return null;
  const before = previous === null ? "" : `, ${format(previous)} in the 7 before`;
  return `${format(value)} in 7 days${before}`;
}
