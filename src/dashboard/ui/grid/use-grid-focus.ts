/// <reference lib="dom" />
import { useLayoutEffect, useRef, useState } from "react";
import type { CellPlace, GridExtent } from "./grid-keys.ts";

/** The element id of a cell. */
export function cellId(grid: string, { row, column }: CellPlace): string {
  return `${grid}-${row}-${column}`;
}

/** The cell that Tab leads to; it stays within the grid when rows and columns go. */
export function useCurrentCell(
  start: CellPlace,
  { rows, columns }: Omit<GridExtent, "page">,
): [CellPlace, (place: CellPlace) => void] {
  const [place, setPlace] = useState(start);
  return [{ row: Math.min(place.row, rows - 1), column: Math.min(place.column, columns - 1) }, setPlace];
}

/**
 * Gives the focus to the current cell as soon as it is rendered, whenever the returned function has been called.
 * @param returns Whether the grid had the focus when it was left.
 */
export function useGridFocus(grid: string, current: CellPlace, returns: boolean): () => void {
  const wanted = useRef(returns);
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const cell = document.getElementById(cellId(grid, current));
    if (cell === null) return;
    wanted.current = false;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  return () => {
    wanted.current = true;
  };
}
