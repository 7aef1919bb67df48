// Columns of numbers side by side in one buffer.

type Kind =
  | Float64ArrayConstructor
  | BigInt64ArrayConstructor
  | Int32ArrayConstructor
  | Int16ArrayConstructor
  | Int8ArrayConstructor
  | Uint8ArrayConstructor;

/** A typed array for each column, widest first, so that each is aligned. */
type Layout = Readonly<Record<string, Kind>>;

export type Columns<L extends Layout> = { readonly [Name in keyof L]: InstanceType<L[Name]> };

/** Bytes of the columns for `rows` rows. */
export function bytesOf(layout: Layout, rows: number): number {
  return rows * Object.values(layout).reduce((sum, kind) => sum + kind.BYTES_PER_ELEMENT, 0);
}

/** Copies the first `rows` rows to columns of the same layout. */
export function copyColumns<L extends Layout>(from: Columns<L>, to: Columns<L>, rows: number): void {
  for (const name in from) to[name].set(from[name].subarray(0, rows) as never);
}

/** The columns at `start`, which must be a multiple of the widest column's width. */
export function columnsAt<L extends Layout>(
  layout: L,
  buffer: ArrayBuffer,
  start: number,
  rows: number,
): Columns<L> {
  const columns: Record<string, unknown> = {};
  let at = start;
  for (const [name, kind] of Object.entries(layout)) {
    columns[name] = new kind(buffer, at, rows);
    at += rows * kind.BYTES_PER_ELEMENT;
  }
  return columns as Columns<L>;
}
