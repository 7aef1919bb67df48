/** A cell by its row and its column among the visible ones; row -1 is the header. */
export interface CellPlace {
  row: number;
  column: number;
}

/** What a movement depends on. */
export interface GridExtent {
  rows: number;
  columns: number;
  /** Rows of one screen. */
  page: number;
}

interface Key {
  key: string;
  ctrlKey?: boolean;
}

/** The cell that a key moves to, as the WAI-ARIA grid pattern has it, with `j` and `k`; null for other keys. */
export function movedCell({ row, column }: CellPlace, { key, ctrlKey = false }: Key, extent: GridExtent) {
  const { rows, columns, page } = extent;
  const lastRow = rows - 1;
  const lastColumn = columns - 1;
  const to = (nextRow: number, nextColumn = column): CellPlace => ({
    row: Math.max(-1, Math.min(lastRow, nextRow)),
    column: Math.max(0, Math.min(lastColumn, nextColumn)),
  });
  // Within the rows: `k` on the first row does not leave for the header.
  const within = (nextRow: number) => to(Math.max(rows > 0 ? 0 : -1, nextRow));
  if (ctrlKey) {
    if (key === "Home") return { ...within(0), column: 0 };
    if (key === "End") return to(lastRow, lastColumn);
    return null;
  }
  switch (key) {
    case "ArrowDown":
      return to(row + 1);
    case "ArrowUp":
      return to(row - 1);
    case "ArrowRight":
      return to(row, column + 1);
    case "ArrowLeft":
      return to(row, column - 1);
    case "Home":
      return to(row, 0);
    case "End":
      return to(row, lastColumn);
    case "PageDown":
      return within(row + page);
    case "PageUp":
      return within(row - page);
    case "j":
      return within(row + 1);
    case "k":
      return within(row - 1);
    default:
      return null;
  }
}
