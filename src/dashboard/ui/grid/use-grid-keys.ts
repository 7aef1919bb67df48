/// <reference lib="dom" />
import type { KeyboardEvent } from "react";
import { shortcutKey, useShortcut } from "../../base/keys.ts";
import { type CellPlace, type GridExtent, movedCell } from "./grid-keys.ts";
import type { GridRows } from "./use-grid-rows.ts";

interface KeyOptions {
  rows: GridRows;
  current: CellPlace;
  moveTo: (place: CellPlace) => void;
  /** Measured when a key needs it. */
  extent: () => GridExtent;
  /** The first column with data. */
  firstColumn: number;
}

function firstWidget(cell: HTMLElement): HTMLElement | null {
  return cell.querySelector<HTMLElement>("a[href], button, input, [tabindex]");
}

/** Registers the page's shortcuts for a grid and returns the handler of keys within it. */
export function useGridKeys(options: KeyOptions): (event: KeyboardEvent<HTMLElement>) => void {
  useGridShortcuts(options);
  return (event) => {
    if (event.altKey || event.metaKey || event.defaultPrevented) return;
    if (isHandled(event, event.target as HTMLElement, options)) event.preventDefault();
  };
}

function isHandled(event: KeyboardEvent, target: HTMLElement, options: KeyOptions): boolean {
  if (target.closest("[data-detail]") !== null) return event.key === "Escape" && leaveDetail(target, options);
  const cell = target.closest<HTMLElement>("[data-cell]");
  if (cell === null) return false;
  if (cell === target) return onCellKey(event, cell, options);
  // Within a cell the keys belong to its widgets; Escape returns to the cell.
  if (event.key !== "Escape") return false;
  cell.focus();
  return true;
}

function leaveDetail(target: HTMLElement, { rows, current, moveTo }: KeyOptions): boolean {
  const row = Number(target.closest<HTMLElement>("[data-index]")?.dataset.index);
  rows.toggleOpen(rows.ids[row]!);
  moveTo({ row, column: current.column });
  return true;
}

function onCellKey(event: KeyboardEvent, cell: HTMLElement, options: KeyOptions): boolean {
  const { rows, current, moveTo, extent } = options;
  const key = shortcutKey(event);
  const moved = movedCell(current, { key, ctrlKey: event.ctrlKey }, extent());
  if (moved !== null) {
    moveTo(moved);
    return true;
  }
  if (event.ctrlKey) return false;
  switch (key) {
    case "Enter":
      if (current.row < 0) firstWidget(cell)?.click();
      else rows.open(current.row);
      return true;
    case "F2":
      firstWidget(cell)?.focus();
      return true;
    case ".":
      cell.querySelector<HTMLElement>("[data-entity-menu]")?.click();
      return true;
    default:
      return onRowKey(key, rows.ids[current.row], rows);
  }
}

/** @param id The current row; undefined in the header. */
function onRowKey(key: string, id: string | undefined, rows: GridRows): boolean {
  const { selects, selection, opens, opened } = rows;
  if ((key === "x" || key === " ") && selects && id !== undefined) rows.toggleSelected(id);
  else if (key === " " && opens && id !== undefined) rows.toggleOpen(id);
  else if (key === "Escape" && selection.size > 0) rows.select(new Set());
  else if (key === "Escape" && id !== undefined && opened.has(id)) rows.toggleOpen(id);
  else return false;
  return true;
}

/** From anywhere on the page `j` and `k` enter the grid where it was left; within, it handles its keys itself. */
function useGridShortcuts({ rows, current, moveTo, firstColumn }: KeyOptions): void {
  const { ids, active, selects, toggleSelected } = rows;
  const enter = (step: 1 | -1) => {
    const at = active === null ? -1 : ids.indexOf(active);
    const row = at < 0 ? 0 : Math.max(0, Math.min(ids.length - 1, at + step));
    moveTo({ row, column: Math.max(firstColumn, current.column) });
  };
  const group = "List";
  useShortcut({ keys: "j", label: "Next row", group, run: () => enter(1) });
  useShortcut({ keys: "k", label: "Previous row", group, run: () => enter(-1) });
  useShortcut({
    keys: "x",
    label: "Select the row",
    group,
    enabled: selects,
    run: () => {
      if (active === null) return false;
      toggleSelected(active);
    },
  });
  // The grid handles these itself; the list of shortcuts names them.
  useShortcut({ keys: "Enter", label: "Open the row", group, run: () => false });
  useShortcut({ keys: ".", label: "Actions for the value of the cell", group, run: () => false });
}
