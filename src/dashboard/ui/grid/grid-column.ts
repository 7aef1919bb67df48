import type { ReactNode } from "react";

/** A column of a `DataGrid`. */
export interface GridColumn<T> {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** The API's orders of this column, in the order of clicks: see `upFirst` and `downFirst`. */
  sort?: readonly string[];
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

/** The orders of a column of texts or addresses, by the API's name of its field. */
export function upFirst<Field extends string>(field: Field): readonly [Field, `-${Field}`] {
  return [field, `-${field}`];
}

/** The orders of a column of numbers or times: the largest, or the newest, first. */
export function downFirst<Field extends string>(field: Field): readonly [`-${Field}`, Field] {
  return [`-${field}`, field];
}

/** The order after a click on a header. */
export function nextSort<T>({ sort = [] }: GridColumn<T>, current: string | undefined): string | undefined {
  return sort[(sort.indexOf(current ?? "") + 1) % Math.max(1, sort.length)];
}

/** `aria-sort` of a header; undefined if the column has no order. */
export function ariaSort<T>(
  { sort = [] }: GridColumn<T>,
  current: string | undefined,
): "ascending" | "descending" | "none" | undefined {
  if (sort.length === 0) return undefined;
  if (current === undefined || !sort.includes(current)) return "none";
  return current.startsWith("-") ? "descending" : "ascending";
}

/** An order of a list in words: `by service, descending`. */
export function orderInWords<T>(columns: readonly GridColumn<T>[], sort: string): string {
  const column = columns.find((one) => one.sort?.includes(sort));
  if (column === undefined) return "";
  const { header } = column;
  // `VLAN` and `JA4` stay as they are.
  const name = /^[A-Z][a-z]/.test(header) ? header.charAt(0).toLowerCase() + header.slice(1) : header;
  return `by ${name}, ${sort.startsWith("-") ? "descending" : "ascending"}`;
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
