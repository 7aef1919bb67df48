/** Neighbours added up, so that at most `most` values remain. */
export function condensed(values: readonly number[], most: number): number[] {
  const size = Math.max(1, Math.ceil(values.length / most));
  return Array.from(
    { length: Math.ceil(values.length / size) },
    (_, at) => values.slice(at * size, (at + 1) * size).reduce((sum, value) => sum + value, 0),
  );
}
