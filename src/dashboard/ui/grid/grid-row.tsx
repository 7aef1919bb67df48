/// <reference lib="dom" />
import { type FocusEvent, memo, type ReactNode, type RefObject } from "react";
import { Icon } from "../icons.tsx";
import { endsSelection, isWidget } from "../row-click.ts";
import type { GridColumn } from "./grid-column.ts";
import { InGrid } from "./in-grid.ts";
import { visibleText } from "../json-text.ts";
import { cellId } from "./use-grid-focus.ts";
import type { GridRows } from "./use-grid-rows.ts";

/** What a row does in its grid. */
export interface GridActs extends Pick<GridRows, "toggleSelected" | "toggleOpen" | "open"> {
  place: (row: number, column: number) => void;
}

interface GridRowProps<T> {
  /** The element id of the grid. */
  grid: string;
  id: string;
  row: T;
  index: number;
  /** Its distance from the start of the list, in pixels. */
  start: number;
  measure: (element: Element | null) => void;
  columns: readonly GridColumn<T>[];
  tracks: string;
  label: string | undefined;
  selects: boolean;
  selected: boolean;
  active: boolean;
  opens: boolean;
  /** Null unless the row is open. */
  detail: ReactNode;
  /** Whether a click anywhere in the row toggles it. */
  clickOpens: boolean;
  /** The column of the current cell; null if it is in another row. */
  current: number | null;
  /** The same object in every render of the grid, so that only rows that change are rendered. */
  acts: RefObject<GridActs>;
}

function Row<T>(props: GridRowProps<T>) {
  const { grid, id, row, index, columns, tracks, label, selects, selected, active, opens, detail, current } =
    props;
  const first = (selects ? 1 : 0) + (opens ? 1 : 0);
  const isOpen = detail !== null;
  const clickOpens = opens && props.clickOpens;
  const cell = (column: number) => ({
    role: "gridcell",
    id: cellId(grid, { row: index, column }),
    "aria-colindex": column + 1,
    "data-cell": "",
    tabIndex: current === column ? 0 : -1,
    // Not a link within: a panel that opened before the click has ended would move the link away.
    onFocus: ({ target, currentTarget }: FocusEvent) =>
      target === currentTarget && current !== column && props.acts.current.place(index, column),
  });
  return (
    <div
      className="grid-item"
      data-index={index}
      ref={props.measure}
      style={{ transform: `translateY(${props.start}px)` }}
      role="presentation"
    >
      <div
        role="row"
        className={["grid-row", active && "grid-active", isOpen && "grid-open", clickOpens && "grid-opens"]
          .filter(Boolean).join(" ")}
        aria-rowindex={index + 2}
        aria-selected={selects ? selected : active}
        aria-label={label}
        data-row-index={index}
        style={{ gridTemplateColumns: tracks }}
        onClick={(event) => {
          if (!active) props.acts.current.place(index, current ?? first);
          // The second click of two selects a word.
          if (clickOpens && event.detail < 2 && !isWidget(event) && !endsSelection()) {
            props.acts.current.toggleOpen(id);
          }
        }}
        onDoubleClick={(event) => !opens && !isWidget(event) && props.acts.current.open(index)}
      >
        {selects && (
          <div {...cell(0)} className="grid-cell grid-check">
            <input
              type="checkbox"
              tabIndex={-1}
              checked={selected}
              onChange={() => props.acts.current.toggleSelected(id)}
              aria-label={label ? `Select ${label}` : "Select the row"}
            />
          </div>
        )}
        {opens && (
          <div {...cell(selects ? 1 : 0)} className="grid-cell grid-toggle">
            <button
              type="button"
              tabIndex={-1}
              className="row-toggle"
              aria-expanded={isOpen}
              aria-label={label ? `Details of ${label}` : "Details"}
              onClick={() => props.acts.current.toggleOpen(id)}
            >
              <Icon name="chevron" className="turn" />
            </button>
          </div>
        )}
        {columns.map((column, at) => (
          <div
            key={column.id}
            {...cell(first + at)}
            className={["grid-cell", column.align === "end" && "grid-end", column.oneLine && "grid-one-line"]
              .filter(Boolean).join(" ")}
            data-label={column.header}
            title={column.text && visibleText(column.text(row))}
          >
            {column.cell(row)}
          </div>
        ))}
      </div>
      {isOpen && (
        <div role="row" className="grid-detail-row" data-detail="">
          <div role="gridcell" className="grid-detail" aria-colspan={columns.length + first}>
            <InGrid.Provider value={false}>{detail}</InGrid.Provider>
          </div>
        </div>
      )}
    </div>
  );
}

/** A row of a grid; it is rendered again only if one of its own properties changes. */
export const GridRow = memo(Row) as typeof Row;
