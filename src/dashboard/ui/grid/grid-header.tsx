import { Icon } from "../icons.tsx";
import { ariaSort, type GridColumn, nextSort } from "./grid-column.ts";

interface GridHeaderProps<T> {
  columns: readonly GridColumn<T>[];
  tracks: string;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
  selects: boolean;
  opens: boolean;
  /** Whether every loaded row is selected. */
  all: boolean;
  selectAll: () => void;
  idOf: (column: number) => string;
  current: number | null;
  onPlace: (column: number) => void;
}

export function GridHeader<T>(props: GridHeaderProps<T>) {
  const { columns, tracks, sort, onSort, selects, opens, all, selectAll, current } = props;
  const first = (selects ? 1 : 0) + (opens ? 1 : 0);
  const cell = (column: number) => ({
    role: "columnheader",
    id: props.idOf(column),
    "aria-colindex": column + 1,
    "data-cell": "",
    tabIndex: current === column ? 0 : -1,
    onFocus: () => current !== column && props.onPlace(column),
  });
  return (
    <div role="row" className="grid-row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
      {selects && (
        <div {...cell(0)} className="grid-cell grid-check">
          <input
            type="checkbox"
            tabIndex={-1}
            checked={all}
            onChange={selectAll}
            aria-label="Select all loaded rows"
          />
        </div>
      )}
      {opens && (
        <div {...cell(selects ? 1 : 0)} className="grid-cell">
          <span className="hidden">Details</span>
        </div>
      )}
      {columns.map((column, at) => {
        const order = ariaSort(column, sort);
        const sortable = onSort !== undefined && column.sort !== undefined;
        return (
          <div
            key={column.id}
            {...cell(first + at)}
            className={[
              "grid-cell",
              column.align === "end" && "grid-end",
              sortable && "grid-sortable",
            ].filter(Boolean).join(" ")}
            aria-sort={order}
          >
            {sortable
              ? (
                <button
                  type="button"
                  tabIndex={-1}
                  className="sort"
                  onClick={() => onSort(nextSort(column, sort)!)}
                >
                  <span className="clip">{column.header}</span>
                  <Icon
                    name="down"
                    className={order === "none"
                      ? "sort-off"
                      : order === "ascending"
                      ? "sort-on turned"
                      : "sort-on"}
                  />
                </button>
              )
              : <span className="clip">{column.header}</span>}
          </div>
        );
      })}
    </div>
  );
}
