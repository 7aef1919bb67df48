import type { ReactNode } from "react";
import type { GridColumn } from "./grid-column.ts";
import type { ListState } from "./list-state.ts";

export interface DataGridProps<T> {
  /** The listed objects in the plural: `Flows`. */
  label: string;
  rows: T[];
  columns: readonly GridColumn<T>[];
  rowId: (row: T) => string;
  /** The order in the API's text form, such as `-score`; see `useSort`. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** Selected rows by id. Without it no row can be selected. */
  selection?: ReadonlySet<string>;
  onSelection?: (selection: ReadonlySet<string>) => void;
  /** The row that `j` and `k` move and a peek panel shows. Default: kept here. */
  active?: string | null;
  onActive?: (id: string | null, row: T | null) => void;
  /** Enter and double click. Default: opens the `detail` in place. */
  onOpen?: (row: T) => void;
  /** Shown in place below an opened row. */
  detail?: (row: T) => ReactNode;
  /** Whether a click anywhere in a row opens its `detail`. Default: it does. */
  clickOpens?: boolean;
  /** Default: `rows` is the whole list. */
  list?: ListState;
  /** How many rows there are, if that is known before all are loaded. */
  total?: number;
  /** Actions on the selected rows. */
  bulk?: (selected: T[], clear: () => void) => ReactNode;
  /** Name of this grid in the browser's storage. */
  storageKey: string;
  /** Shown in place of the rows if there are none. */
  empty?: ReactNode;
  /** Controls beside the column menu. */
  tools?: ReactNode;
  /** Words that name a row to a screen reader. */
  rowLabel?: (row: T) => string;
}
