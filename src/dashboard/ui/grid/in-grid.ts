import { createContext, useContext } from "react";

/** Whether a widget is in a cell, where Tab skips it: F2 enters the cell. */
export const InGrid = createContext(false);

/** The `tabIndex` of a widget: only the grid's current cell is a stop of Tab. */
export function useCellTabIndex(): -1 | undefined {
  return useContext(InGrid) ? -1 : undefined;
}
