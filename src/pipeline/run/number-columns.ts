// Typed-array columns side by side in one buffer.

type Kind =
  | Float64ArrayConstructor
  | BigInt64ArrayConstructor
  | Int32ArrayConstructor
  | Int16ArrayConstructor
  | Int8ArrayConstructor
  | Uint8ArrayConstructor;

/** A typed array per column. Wider types must come first, so that every column is aligned. */
type Layout = Readonly<Record<string, Kind>>;

export type Columns<L extends Layout> = { readonly [Name in keyof L]: InstanceType<L[Name]> };

/** Size in bytes of the columns of `rows` rows. */
export function bytesOf(layout: Layout, rows: number): number {
  return rows * Object.values(layout).reduce((sum, kind) => sum + kind.BYTES_PER_ELEMENT, 0);
}

/** Copies the first rows into columns of the same layout. */
export function copyColumns<L extends Layout>(from: Columns<L>, to: Columns<L>, rows: number): void {
  for (const name in from) to[name].set(from[name].subarray(0, rows) as never);
}

/** The columns of `rows` rows in `buffer` from `start`, a multiple of the widest column's width. */
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
