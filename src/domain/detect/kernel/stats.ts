// Robust statistics. All take at least one number, in any order.

/** A typed array sorts numbers several times faster than an array with a comparison function. */
function sorted(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).sort();
}

/** Linear interpolation between closest ranks; `share` 0 to 1. */
export function quantileSorted(ascending: ArrayLike<number>, share: number): number {
  const position = (ascending.length - 1) * share;
  const below = Math.floor(position);
  const low = ascending[below] ?? NaN;
  const high = ascending[Math.min(below + 1, ascending.length - 1)] ?? NaN;
  return low + (high - low) * (position - below);
}

export function quantile(values: ArrayLike<number>, share: number): number {
  return quantileSorted(sorted(values), share);
}

export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

/** The spread of values about their median. */
interface Spread {
  median: number;
  /** Median of the absolute deviations from the median. */
  mad: number;
  /** Bowley's quartile skew, -1 to 1; 0 if the quartiles coincide. */
  skew: number;
  /** Interquartile range. */
  iqr: number;
}

export function spread(values: readonly number[]): Spread {
  const ascending = sorted(values);
  const [q1, q2, q3] = [0.25, 0.5, 0.75].map((share) => quantileSorted(ascending, share)) as [
    number,
    number,
    number,
  ];
  const iqr = q3 - q1;
  return {
    median: q2,
    mad: median(ascending.map((value) => Math.abs(value - q2))),
    skew: iqr > 0 ? (q3 + q1 - 2 * q2) / iqr : 0,
    iqr,
  };
}

/** Mean without the largest `share` of the values (at least one of two or more values is left out). */
export function trimmedMean(values: readonly number[], share: number): number {
  const drop = values.length < 2 ? 0 : Math.max(1, Math.floor(values.length * share));
  const kept = sorted(values).subarray(0, values.length - drop);
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

/** Standard deviation divided by the mean; 0 if the mean is 0. */
export function variation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (mean === 0) return 0;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.sqrt(variance) / mean;
}

export function clamp01(value: number): number {
  return Math.min(1, Math.max(0, value));
}
