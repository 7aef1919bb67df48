import { formatExact } from "../format.ts";
import { ColumnMenu } from "./column-menu.tsx";
import { GridFooter } from "./grid-footer.tsx";
import type { GridArrangement } from "./grid-preferences.ts";
import type { DataGridProps } from "./grid-props.ts";
import type { GridRows } from "./use-grid-rows.ts";

interface GridToolsProps<T> {
  grid: DataGridProps<T>;
  state: GridRows;
  arrangement: GridArrangement<T>;
}

/** The bar above a grid: how much is loaded, or actions on the selected rows; the columns. */
export function GridTools<T>({ grid, state, arrangement }: GridToolsProps<T>) {
  const { rows, list, total, bulk, tools } = grid;
  const { ids, selection } = state;
  const clear = () => state.select(new Set());
  return (
    <div className="grid-tools">
      {selection.size > 0
        ? (
          <div className="grid-bulk" role="toolbar" aria-label="Selected rows">
            <span className="strong">{formatExact(selection.size)} selected</span>
            {bulk?.(rows.filter((_, index) => selection.has(ids[index]!)), clear)}
            <button type="button" className="button button-small button-quiet" onClick={clear}>
              Clear selection
            </button>
          </div>
        )
        : <GridFooter count={rows.length} total={total} list={list} />}
      <span className="grid-tools-end">
        {tools}
        <ColumnMenu {...arrangement} />
      </span>
    </div>
  );
}
