/** Sums from the first series up to each one; an absent value counts as none. */
export function stacked(series: readonly (readonly (number | null)[])[]): number[][] {
  let below: number[] = [];
  return series.map((values) => below = values.map((value, at) => (below[at] ?? 0) + (value ?? 0)));
}

/** The first and last bucket of a selection, whichever way it was made. */
export function spanOf(one: number, other: number): [number, number] {
  return one <= other ? [one, other] : [other, one];
}

/** The bucket that contains a position on the axis. */
export function bucketAt(time: number, first: number, step: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor((time - first) / step)));
}

/** 0 for none, then five steps on a logarithmic scale, so that one busy cell does not hide quiet ones. */
export function heatLevel(value: number, most: number): number {
  if (value <= 0 || most <= 0) return 0;
  return Math.max(1, Math.min(5, Math.ceil(Math.log1p(value) / Math.log1p(most) * 5)));
}
