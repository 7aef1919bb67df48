// What a device usually sends at a time of day: the median over the days before.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Days that the baseline looks back, before the window. */
export const BASELINE_DAYS = 7;
/** Fewer known days give no baseline. */
export const LEAST_DAYS = 3;

/** Lengths of buckets by name, each a divisor of a day, so that the same time of day is the same bucket. */
const STEPS = [
  { name: "1h", step: HOUR, longest: 2 * DAY },
  { name: "6h", step: 6 * HOUR, longest: 8 * DAY },
  { name: "1d", step: DAY, longest: Infinity },
] as const;

interface Span {
  from: number;
  to: number;
}

interface BaselinePlan {
  bucket: (typeof STEPS)[number]["name"];
  step: number;
  /** Whole buckets that cover the window. */
  shown: Span;
  /** The days before it. */
  before: Span;
}

/** The buckets for a window, and the days that they are compared with. Times in milliseconds. */
export function baselinePlan({ from, to }: Span): BaselinePlan {
  const { name, step } = STEPS.find(({ longest }) => to - from <= longest)!;
  const shown = { from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step };
  return { bucket: name, step, shown, before: { from: shown.from - BASELINE_DAYS * DAY, to: shown.from } };
}

interface Bucket {
  start: number;
  value: number;
}

/**
 * For each start the median of the same time of day on the days before; null if fewer than `LEAST_DAYS` of them are
 * known. Days before `knownSince` say nothing: the device was not known, or its flows are no longer retained.
 */
export function baselineOf(
  starts: readonly number[],
  before: readonly Bucket[],
  knownSince: number,
): (number | null)[] {
  const byTime = new Map<number, number[]>();
  for (const { start, value } of before) {
    if (start < knownSince) continue;
    const time = start % DAY;
    byTime.set(time, [...byTime.get(time) ?? [], value]);
  }
  return starts.map((start) => {
    const values = byTime.get(start % DAY) ?? [];
    return values.length < LEAST_DAYS ? null : median(values);
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
