/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { createStore } from "../../base/store.ts";

/** Height of rows: 28 or 36 pixels. */
export type Density = "compact" | "comfortable";

/** The densities in the order of the choice, with their names. */
export const DENSITIES: readonly (readonly [Density, string])[] = [
  ["compact", "Compact"],
  ["comfortable", "Comfortable"],
];

const KEY = "ndr.density";
export const ROW_HEIGHT: Readonly<Record<Density, number>> = { compact: 28, comfortable: 36 };

function stored(): Density {
  try {
    return localStorage.getItem(KEY) === "compact" ? "compact" : "comfortable";
  } catch {
    return "comfortable";
  }
}

const density = createStore(typeof localStorage === "undefined" ? "comfortable" : stored());

/** Sets the density of every grid, on this page and later ones. */
export function setDensity(next: Density): void {
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  density.set(next);
}

export const useDensity = density.use;
