/// <reference lib="dom" />
import { type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import {
  type ColumnDef,
  columnOrderingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useShortcut } from "../../base/keys.ts";
import { ErrorState, SkeletonRows, StaleNotice } from "../states.tsx";
import { formatExact, plural } from "../format.ts";
import { ColumnMenu } from "./column-menu.tsx";
import { ROW_HEIGHT, useDensity } from "./density.ts";
import { type GridColumn, leastWidth, tracksOf } from "./grid-column.ts";
import { GridFooter } from "./grid-footer.tsx";
import { GridHeader } from "./grid-header.tsx";
import { type CellPlace, movedCell } from "./grid-keys.ts";
import { useGridMemory } from "./grid-memory.ts";
import { useGridPreferences } from "./grid-preferences.ts";
import { type GridActs, GridRow } from "./grid-row.tsx";
import { InGrid } from "./in-grid.ts";
import type { ListState } from "./list-state.ts";

const features = tableFeatures({ columnVisibilityFeature, columnOrderingFeature });

/** Rows rendered beyond both ends of the visible part. */
const OVERSCAN = 6;
/** The next page is read when so few loaded rows are left below. */
const LOAD_AHEAD = 20;

export interface DataGridProps<T> {
  /** The listed objects in the plural: `Flows`. */
  label: string;
  rows: T[];
  columns: readonly GridColumn<T>[];
  rowId: (row: T) => string;
  /** The order in the API's text form, such as `-score`; see `useSort`. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** Selected rows by id. Default: kept here if there is a `bulk`. */
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
  list?: ListState;
  hasMore?: boolean;
  loadMore?: () => void;
  loading?: boolean;
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

/** A list of any length: sorted by the server, rendered as far as it is visible, used by keyboard or pointer. */
export function DataGrid<T>(props: DataGridProps<T>) {
  const { label, rows, list, empty } = props;
  if (list?.pending) return <SkeletonRows rows={8} />;
  if (list?.error && rows.length === 0) {
    return <ErrorState what={`The ${label.toLowerCase()}`} error={list.error} retry={list.retry} />;
  }
  if (rows.length === 0 && !(list?.hasMore ?? props.hasMore)) {
    return <>{empty ?? <p className="card-text muted">No {label.toLowerCase()}.</p>}</>;
  }
  return <LoadedGrid {...props} />;
}

function useArranged<T>({ columns, rows, rowId, storageKey }: DataGridProps<T>) {
  const [preferences, keep, reset] = useGridPreferences(storageKey);
  const definitions = useMemo(
    () => columns.map(({ id, header }): ColumnDef<typeof features, object> => ({ id, header })),
    [columns],
  );
  const columnVisibility = useMemo(
    () => Object.fromEntries(columns.map(({ id, hidden }) => [id, preferences.visible[id] ?? !hidden])),
    [columns, preferences],
  );
  const columnOrder = useMemo(() => {
    const known = preferences.order.filter((id) => columns.some((column) => column.id === id));
    return [...known, ...columns.map(({ id }) => id).filter((id) => !known.includes(id))];
  }, [columns, preferences]);
  const table = useTable<typeof features, object>({
    features,
    columns: definitions,
    // Rows of any type: only the cells of our own columns read them.
    data: rows as object[],
    getRowId: (row) => rowId(row as T),
    state: { columnVisibility, columnOrder },
  });
  const byId = new Map(columns.map((column) => [column.id, column]));
  const ordered = table.getAllLeafColumns().map(({ id }) => byId.get(id)!).toSorted((a, b) =>
    columnOrder.indexOf(a.id) - columnOrder.indexOf(b.id)
  );
  const shown = useMemo(
    () => ordered.filter(({ id }) => columnVisibility[id]),
    [columns, columnVisibility, columnOrder],
  );
  return { table, ordered, shown, preferences, keep, reset };
}

function LoadedGrid<T>(props: DataGridProps<T>) {
  const { label, rows, sort, onSort, onOpen, detail, list, bulk, storageKey, tools, rowLabel } = props;
  const { clickOpens = true } = props;
  const hasMore = list?.hasMore ?? props.hasMore ?? false;
  const loading = list?.loading ?? props.loading ?? false;
  const loadMore = list?.loadMore ?? props.loadMore;
  const { table, ordered, shown, preferences, keep, reset } = useArranged(props);
  const model = table.getRowModel();
  const ids = useMemo(() => model.rows.map(({ id }) => id), [model]);
  const rowHeight = ROW_HEIGHT[useDensity()];

  const [memory, remember] = useGridMemory(storageKey);
  const [ownActive, setOwnActive] = useState<string | null>(memory?.active ?? null);
  const active = props.active === undefined ? ownActive : props.active;
  const [ownSelection, setOwnSelection] = useState<ReadonlySet<string>>(new Set());
  const selects = bulk !== undefined || props.selection !== undefined;
  const selection = props.selection ?? ownSelection;
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set(memory?.opened.keys()));
  const opens = detail !== undefined;

  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const activeRow = active === null ? -1 : ids.indexOf(active);
  const extra = (selects ? 1 : 0) + (opens ? 1 : 0);
  const [place, setPlace] = useState<CellPlace>({ row: Math.max(0, activeRow), column: extra });
  const current: CellPlace = {
    row: Math.min(place.row, rows.length - 1),
    column: Math.min(place.column, shown.length + extra - 1),
  };

  const [headHeight, setHeadHeight] = useState(0);
  useLayoutEffect(() => {
    const box = head.current!;
    const measure = () => setHeadHeight(box.offsetHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useVirtualizer({
    count: rows.length,
    scrollMargin: headHeight,
    // The header covers the start of the visible part.
    scrollPaddingStart: headHeight,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => memory?.opened.get(ids[index] ?? "") ?? rowHeight,
    getItemKey: (index) => ids[index] ?? index,
    overscan: OVERSCAN,
    initialOffset: memory?.offset ?? 0,
    // The current row stays in the document, however far it is scrolled away: it may have the focus.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range);
      const kept = [current.row].filter((row) => row >= 0 && row < range.count && !visible.includes(row));
      return [...visible, ...kept].sort((a, b) => a - b);
    },
  });
  // Rows that have been measured stay where they are until their height changes.
  const measuredFor = useRef(rowHeight);
  useEffect(() => {
    if (measuredFor.current !== rowHeight) virtualizer.measure();
    measuredFor.current = rowHeight;
  }, [rowHeight]);

  const items = virtualizer.getVirtualItems();
  const last = virtualizer.range?.endIndex ?? 0;
  const failed = list?.error !== undefined && list?.error !== null;
  useEffect(() => {
    if (hasMore && !loading && !failed && last >= rows.length - LOAD_AHEAD) loadMore?.();
  }, [hasMore, loading, failed, last, rows.length]);

  // The focus follows the current cell once it is rendered.
  const wantsFocus = useRef(memory?.focused ?? false);
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    const cell = document.getElementById(cellId(gridId, current));
    if (cell === null) return;
    wantsFocus.current = false;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  const latest = useRef({ active, opened, ids, focused: false });
  Object.assign(latest.current, { active, opened, ids });
  const rememberLatest = useRef(remember);
  rememberLatest.current = remember;
  useLayoutEffect(() => () => {
    const { active, opened, ids, focused } = latest.current;
    const heights = [...opened].map((id) =>
      [id, virtualizer.measurementsCache[ids.indexOf(id)]?.size ?? rowHeight] as const
    );
    rememberLatest.current({
      offset: virtualizer.scrollOffset ?? 0,
      active,
      focused,
      opened: new Map(heights),
    });
  }, []);

  const activate = (row: number) => {
    const id = ids[row] ?? null;
    if (id === active) return;
    setOwnActive(id);
    props.onActive?.(id, rows[row] ?? null);
  };
  const moveTo = (next: CellPlace) => {
    setPlace(next);
    if (next.row >= 0) {
      virtualizer.scrollToIndex(next.row);
      activate(next.row);
    }
    wantsFocus.current = true;
  };
  const select = (next: ReadonlySet<string>) => {
    setOwnSelection(next);
    props.onSelection?.(next);
  };
  const toggle = (set: ReadonlySet<string>, id: string): ReadonlySet<string> => {
    const next = new Set(set);
    if (!next.delete(id)) next.add(id);
    return next;
  };
  const toggleOpen = (id: string) => setOpened((old) => toggle(old, id));
  const open = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    if (onOpen) onOpen(row);
    else if (opens) toggleOpen(ids[index]!);
  };
  const all = rows.length > 0 && selection.size > 0 && ids.every((id) => selection.has(id));
  const acts = useRef<GridActs>(null!);
  acts.current = {
    select: (id) => select(toggle(selection, id)),
    toggle: toggleOpen,
    open,
    place: (row, column) => {
      setPlace({ row, column });
      activate(row);
    },
    idOf: (row, column) => cellId(gridId, { row, column }),
  };

  const onKeyDown = (event: React.KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    const inDetail = target.closest("[data-detail]") !== null;
    if (inDetail && event.key === "Escape") {
      const index = Number(target.closest<HTMLElement>("[data-index]")?.dataset.index);
      toggleOpen(ids[index]!);
      moveTo({ row: index, column: current.column });
      event.preventDefault();
    }
    if (inDetail || target.closest("[data-cell]") === null) return;
    if (!target.hasAttribute("data-cell")) {
      // Within a cell the keys belong to its widgets; Escape returns to the cell.
      if (event.key === "Escape") {
        target.closest<HTMLElement>("[data-cell]")?.focus();
        event.preventDefault();
      }
      return;
    }
    const id = ids[current.row];
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const moved = movedCell(current, event, { rows: rows.length, columns: shown.length + extra, page });
    if (moved !== null) moveTo(moved);
    else if (event.ctrlKey) return;
    else if (event.key === "Enter" && current.row < 0) firstWidget(target)?.click();
    else if (event.key === "Enter") open(current.row);
    else if (event.key === "F2") firstWidget(target)?.focus();
    else if (event.key === ".") target.querySelector<HTMLElement>("[data-entity-menu]")?.click();
    else if ((event.key === "x" || event.key === " ") && selects && id !== undefined) {
      select(toggle(selection, id));
    } else if (event.key === " " && opens && id !== undefined) toggleOpen(id);
    else if (event.key === "Escape" && selection.size > 0) select(new Set());
    else if (event.key === "Escape" && id !== undefined && opened.has(id)) toggleOpen(id);
    else return;
    event.preventDefault();
  };

  // From anywhere on the page `j` and `k` enter the grid where it was left; within, it handles its keys itself.
  const enter = (step: 1 | -1) => {
    const row = activeRow < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, activeRow + step));
    moveTo({ row, column: Math.max(extra, current.column) });
  };
  useShortcut({ keys: "j", label: "Next row", group: "List", run: () => enter(1) });
  useShortcut({ keys: "k", label: "Previous row", group: "List", run: () => enter(-1) });
  useShortcut({
    keys: "x",
    label: "Select the row",
    group: "List",
    enabled: selects,
    run: () => {
      if (active === null) return false;
      select(toggle(selection, active));
    },
  });
  useShortcut({
    keys: "Enter",
    label: "Open the row",
    group: "List",
    run: () => false,
  });
  useShortcut({
    keys: ".",
    label: "Actions for the value of the cell",
    group: "List",
    run: () => false,
  });

  const chosen = selection.size === 0 ? [] : rows.filter((_, index) => selection.has(ids[index]!));
  const tracks = tracksOf(shown, selects, opens);
  const least = leastWidth(shown, selects, opens);
  return (
    <div className={rowHeight < 36 ? "grid-box grid-compact" : "grid-box"}>
      {failed && rows.length > 0 && !hasMore && (
        <StaleNotice error={list?.error} retry={list?.retry ?? noop} />
      )}
      <div className="grid-tools">
        {selects && selection.size > 0
          ? (
            <div className="grid-bulk" role="toolbar" aria-label="Selected rows">
              <span className="strong">{formatExact(selection.size)} selected</span>
              {bulk?.(chosen, () => select(new Set()))}
              <button
                type="button"
                className="button button-small button-quiet"
                onClick={() => select(new Set())}
              >
                Clear selection
              </button>
            </div>
          )
          : <GridFooter count={rows.length} hasMore={hasMore} loading={loading} list={list} />}
        <span className="grid-tools-end">
          {tools}
          <ColumnMenu columns={ordered} preferences={preferences} keep={keep} reset={reset} />
        </span>
      </div>
      <div
        className="grid-scroll"
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-colcount={shown.length + extra}
        aria-multiselectable={selects || undefined}
        aria-busy={loading}
        onKeyDown={onKeyDown}
        onFocus={() => {
          latest.current.focused = true;
        }}
        onBlur={({ currentTarget, relatedTarget }) => {
          // The shell moves the focus to the whole page when another one begins to load.
          latest.current.focused = currentTarget.contains(relatedTarget) ||
            relatedTarget?.contains(currentTarget) === true;
        }}
      >
        <div role="rowgroup" className="grid-head" ref={head} style={{ minWidth: least }}>
          <GridHeader
            columns={shown}
            tracks={tracks}
            sort={sort}
            onSort={onSort}
            selects={selects}
            opens={opens}
            all={all}
            selectAll={() => select(new Set(all ? [] : ids))}
            idOf={(column) => cellId(gridId, { row: -1, column })}
            current={current.row === -1 ? current.column : null}
            onPlace={(column) => setPlace({ row: -1, column })}
          />
        </div>
        <InGrid.Provider value>
          <div
            role="rowgroup"
            className="grid-body"
            style={{ height: virtualizer.getTotalSize(), minWidth: least }}
          >
            {items.map((item) => {
              const row = rows[item.index];
              const id = ids[item.index];
              if (row === undefined || id === undefined) return null;
              return (
                <GridRow
                  key={id}
                  id={id}
                  row={row}
                  index={item.index}
                  start={item.start - headHeight}
                  measure={virtualizer.measureElement}
                  columns={shown}
                  tracks={tracks}
                  label={rowLabel?.(row)}
                  selects={selects}
                  selected={selection.has(id)}
                  active={id === active}
                  opens={opens}
                  detail={opens && opened.has(id) ? detail(row) : null}
                  clickOpens={clickOpens}
                  current={item.index === current.row ? current.column : null}
                  acts={acts}
                />
              );
            })}
          </div>
        </InGrid.Provider>
      </div>
      <p className="hidden" role="status">
        {selection.size > 0 && `${plural(selection.size, "row")} selected`}
      </p>
    </div>
  );
}

function noop(): void {}

function cellId(grid: string, { row, column }: CellPlace): string {
  return `${grid}-${row}-${column}`;
}

function firstWidget(cell: HTMLElement): HTMLElement | null {
  return cell.querySelector<HTMLElement>("a[href], button, input, [tabindex]");
}
