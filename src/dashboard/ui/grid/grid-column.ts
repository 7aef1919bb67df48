import type { ReactNode } from "react";

/** A column of a `DataGrid`. */
export interface GridColumn<T> {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** The API's orders of this column, in the order of clicks: `-score`, or `["-score", "score"]`. */
  sort?: string | readonly string[];
  align?: "end";
  /** Pixels; the least width if the column grows. */
  width: number;
  /** Share of the width that is left. Default: none. */
  grow?: number;
  /** Hidden until it is chosen in the column menu. */
  hidden?: boolean;
  /** On narrow screens the cell takes exactly one line, because names in it may load after the row is shown. */
  oneLine?: boolean;
  /** The value as text, shown in the title of a cell that may be clipped. */
  text?: (row: T) => string;
}

/** The orders that a header offers. */
export function sortsOf<T>({ sort }: GridColumn<T>): readonly string[] {
  return sort === undefined ? [] : typeof sort === "string" ? [sort] : sort;
}

/** The order after a click on a header. */
export function nextSort<T>(column: GridColumn<T>, current: string | undefined): string | undefined {
  const sorts = sortsOf(column);
  return sorts[(sorts.indexOf(current ?? "") + 1) % Math.max(1, sorts.length)];
}

/** `aria-sort` of a header; undefined if the column has no order. */
export function ariaSort<T>(
  column: GridColumn<T>,
  current: string | undefined,
): "ascending" | "descending" | "none" | undefined {
  const sorts = sortsOf(column);
  if (sorts.length === 0) return undefined;
  if (current === undefined || !sorts.includes(current)) return "none";
  return current.startsWith("-") ? "descending" : "ascending";
}

/** Tracks of the CSS grid that every row uses. */
export function tracksOf<T>(columns: readonly GridColumn<T>[], selects: boolean, opens: boolean): string {
  const own = columns.map(({ width, grow }) => grow ? `minmax(${width}px, ${grow}fr)` : `${width}px`);
  return [...selects ? ["36px"] : [], ...opens ? ["28px"] : [], ...own].join(" ");
}

/** Below this width rows scroll sideways. */
export function leastWidth<T>(columns: readonly GridColumn<T>[], selects: boolean, opens: boolean): number {
  return columns.reduce((sum, { width }) => sum + width, (selects ? 36 : 0) + (opens ? 28 : 0));
}
