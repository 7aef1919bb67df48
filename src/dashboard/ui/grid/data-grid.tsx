/// <reference lib="dom" />
import { useId, useLayoutEffect, useRef } from "react";
import { formatExact, plural } from "../format.ts";
import { ErrorState, SkeletonRows, StaleNotice } from "../states.tsx";
import { ROW_HEIGHT, useDensity } from "./density.ts";
import { leastWidth, tracksOf } from "./grid-column.ts";
import { GridHeader } from "./grid-header.tsx";
import type { CellPlace } from "./grid-keys.ts";
import { useGridMemory } from "./grid-memory.ts";
import { useArrangement } from "./grid-preferences.ts";
import type { DataGridProps } from "./grid-props.ts";
import { type GridActs, GridRow } from "./grid-row.tsx";
import { GridTools } from "./grid-tools.tsx";
import { InGrid } from "./in-grid.ts";
import { cellId, useCurrentCell, useGridFocus } from "./use-grid-focus.ts";
import { useGridKeys } from "./use-grid-keys.ts";
import { useGridRows } from "./use-grid-rows.ts";
import { MOST_PRINTED, useGridWindow, useLoadAhead } from "./use-grid-window.ts";
import { useKeptPlace } from "./use-kept-place.ts";

/** A list of any length: sorted by the server, rendered as far as it is visible, used by keyboard or pointer. */
export function DataGrid<T>(props: DataGridProps<T>) {
  const { label, rows, list, empty } = props;
  if (list?.pending) return <SkeletonRows rows={8} />;
  if (list?.error && rows.length === 0) {
    return <ErrorState what={`The ${label.toLowerCase()}`} error={list.error} retry={list.retry} />;
  }
  if (rows.length === 0 && !list?.hasMore) {
    return <>{empty ?? <p className="card-text muted">No {label.toLowerCase()}.</p>}</>;
  }
  return <LoadedGrid {...props} />;
}

function LoadedGrid<T>(props: DataGridProps<T>) {
  const { label, rows, list, sort, onSort, detail, clickOpens = true, storageKey, rowLabel } = props;
  const grid = useId();
  const rowHeight = ROW_HEIGHT[useDensity()];
  const arrangement = useArrangement(props.columns, storageKey);
  const [memory, keep] = useGridMemory(storageKey);
  const state = useGridRows(props, memory);
  const { ids, active, selects, selection, opens, opened } = state;
  const columns = arrangement.shown;
  const firstColumn = (selects ? 1 : 0) + (opens ? 1 : 0);
  const columnCount = columns.length + firstColumn;
  const start = { row: Math.max(0, active === null ? 0 : ids.indexOf(active)), column: firstColumn };
  const [current, setCurrent] = useCurrentCell(start, { rows: rows.length, columns: columnCount });
  const acts = useRef<GridActs>(null!);
  useLayoutEffect(() => {
    const place = (row: number, column: number) => {
      setCurrent({ row, column });
      state.activate(row);
    };
    acts.current = { ...state, place };
  });
  const view = useGridWindow({ ids, rowHeight, current: current.row, memory, order: sort });
  const { scroller, virtualizer } = view;
  useLoadAhead(list, view.lastVisible, rows.length);
  const focus = useGridFocus(grid, current, memory?.focused ?? false);
  const focusHandlers = useKeptPlace(keep, state, virtualizer, rowHeight);
  const moveTo = (next: CellPlace) => {
    setCurrent(next);
    if (next.row >= 0) {
      virtualizer.scrollToIndex(next.row);
      state.activate(next.row);
    }
    focus();
  };
  const extent = () => {
    const page = Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2;
    return { rows: rows.length, columns: columnCount, page: Math.max(1, page) };
  };
  const onKeyDown = useGridKeys({ rows: state, current, moveTo, extent, firstColumn });

  const all = rows.length > 0 && selection.size > 0 && ids.every((id) => selection.has(id));
  const tracks = tracksOf(columns, selects, opens);
  const minWidth = leastWidth(columns, selects, opens);
  return (
    <div className={rowHeight < 36 ? "grid-box grid-compact" : "grid-box"}>
      {list !== undefined && list.error !== null && !list.hasMore && (
        <StaleNotice error={list.error} retry={list.retry} />
      )}
      <GridTools grid={props} state={state} arrangement={arrangement} />
      <div
        className="grid-scroll"
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={list?.hasMore ? -1 : rows.length + 1}
        aria-colcount={columnCount}
        aria-multiselectable={selects || undefined}
        aria-busy={list?.loading ?? false}
        onKeyDown={onKeyDown}
        {...focusHandlers}
      >
        <div role="rowgroup" className="grid-head" ref={view.head} style={{ minWidth }}>
          <GridHeader
            columns={columns}
            tracks={tracks}
            sort={sort}
            onSort={onSort}
            selects={selects}
            opens={opens}
            all={all}
            selectAll={() => state.select(new Set(all ? [] : ids))}
            idOf={(column) => cellId(grid, { row: -1, column })}
            current={current.row === -1 ? current.column : null}
            onPlace={(column) => setCurrent({ row: -1, column })}
          />
        </div>
        <InGrid.Provider value>
          <div role="rowgroup" className="grid-body" style={{ height: virtualizer.getTotalSize(), minWidth }}>
            {view.items.map(({ index, start }) => {
              const row = rows[index];
              const id = ids[index];
              if (row === undefined || id === undefined) return null;
              return (
                <GridRow
                  key={id}
                  grid={grid}
                  id={id}
                  row={row}
                  index={index}
                  start={start - view.headHeight}
                  measure={virtualizer.measureElement}
                  columns={columns}
                  tracks={tracks}
                  label={rowLabel?.(row)}
                  selects={selects}
                  selected={selection.has(id)}
                  active={id === active}
                  opens={opens}
                  detail={detail !== undefined && opened.has(id) ? detail(row) : null}
                  clickOpens={clickOpens}
                  current={index === current.row ? current.column : null}
                  acts={acts}
                />
              );
            })}
          </div>
        </InGrid.Provider>
      </div>
      {view.printing && rows.length > MOST_PRINTED && (
        <p className="card-text">
          The paper shows the first {formatExact(MOST_PRINTED)} of {formatExact(rows.length)} loaded rows.
        </p>
      )}
      <p className="hidden" role="status">
        {selection.size > 0 && `${plural(selection.size, "row")} selected`}
      </p>
    </div>
  );
}
