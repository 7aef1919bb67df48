// Regularity of a series of times, for the charts beside a beacon.

interface Intervals {
  /** Milliseconds between consecutive times. */
  gaps: number[];
  median: number;
  /** Median absolute deviation of the gaps: 0 for a metronome. */
  deviation: number;
  /** Equal steps from 0 to `limit`; longer gaps are in the last one. */
  bins: number[];
  limit: number;
}

const BINS = 30;
/** A pause of the host must not squeeze everything else into one bin. */
const LIMIT_MEDIANS = 3;

function medianOf(sorted: number[]): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}

/** Undefined below three gaps: too few to judge regularity. */
export function intervalsOf(times: number[]): Intervals | undefined {
  const sorted = [...times].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
  if (gaps.length < 3) return undefined;
  const byLength = [...gaps].sort((a, b) => a - b);
  const median = medianOf(byLength);
  const deviation = medianOf(gaps.map((gap) => Math.abs(gap - median)).sort((a, b) => a - b));
  const longest = byLength[byLength.length - 1] ?? 0;
  const limit = Math.max(1, Math.min(longest, median * LIMIT_MEDIANS || longest));
  const bins = new Array<number>(BINS).fill(0);
  for (const gap of gaps) {
    const bin = Math.min(BINS - 1, Math.floor(gap / limit * BINS));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return { gaps, median, deviation, bins, limit };
}
