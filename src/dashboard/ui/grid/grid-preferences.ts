/// <reference lib="dom" />
import { useState } from "react";

/** What a person has chosen for one grid; kept in the browser. */
export interface GridPreferences {
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

/** The preferences of a grid and a function that keeps others. */
export function useGridPreferences(
  name: string,
): [GridPreferences, (preferences: GridPreferences) => void, () => void] {
  const [preferences, setPreferences] = useState(() => read(name));
  const keep = (next: GridPreferences) => {
    setPreferences(next);
    write(name, next);
  };
  return [preferences, keep, () => keep(NONE)];
}
