/// <reference lib="dom" />
import { useMemo, useState } from "react";
import type { GridColumn } from "./grid-column.ts";

/** What a person has chosen for one grid; kept in the browser. */
interface GridPreferences {
  visible: Record<string, boolean>;
  order: string[];
}

const NONE: GridPreferences = { visible: {}, order: [] };

function keyOf(name: string): string {
  return `ndr.grid.${name}`;
}

function read(name: string): GridPreferences {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf(name)) ?? "null");
    return typeof found?.visible === "object" && Array.isArray(found.order) ? found : NONE;
  } catch {
    // No storage, or text of another version.
    return NONE;
  }
}

function write(name: string, preferences: GridPreferences): void {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(preferences));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** The columns of a grid as a person has arranged them. */
export interface GridArrangement<T> {
  /** All columns in their order. */
  columns: readonly GridColumn<T>[];
  shown: readonly GridColumn<T>[];
  preferences: GridPreferences;
  keep: (preferences: GridPreferences) => void;
  reset: () => void;
}

/** @param name The grid's name in the browser's storage. */
export function useArrangement<T>(columns: readonly GridColumn<T>[], name: string): GridArrangement<T> {
  const [preferences, setPreferences] = useState(() => read(name));
  const keep = (next: GridPreferences) => {
    setPreferences(next);
    write(name, next);
  };
  const arranged = useMemo(() => arrange(columns, preferences), [columns, preferences]);
  return { ...arranged, preferences, keep, reset: () => keep(NONE) };
}

/** Columns that the preferences do not name come last, and are shown unless they are `hidden`. */
export function arrange<T>(columns: readonly GridColumn<T>[], { visible, order }: GridPreferences) {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ id }: GridColumn<T>) => places.get(id) ?? order.length;
  const ordered = columns.toSorted((a, b) => placeOf(a) - placeOf(b));
  return { columns: ordered, shown: ordered.filter(({ id, hidden }) => visible[id] ?? !hidden) };
}
