/// <reference lib="dom" />
// What lies over the map: the legend on the left, the buttons on the right.
import type { Box } from "./map-labels.ts";

function over(container: HTMLElement, selector: string): HTMLElement[] {
  return [...container.closest(".map-main")?.querySelectorAll<HTMLElement>(selector) ?? []];
}

/** The part of the map's width that an open legend covers. */
export function legendWidth(container: HTMLElement): number {
  const [legend] = over(container, ".map-legend[open]");
  return legend === undefined ? 0 : legend.offsetLeft + legend.offsetWidth;
}

/** The parts of the map that are covered, in pixels of the container. */
export function coveredBoxes(container: HTMLElement): Box[] {
  return over(container, ".map-legend, .map-zoom").map((element) => ({
    left: element.offsetLeft,
    right: element.offsetLeft + element.offsetWidth,
    top: element.offsetTop,
    bottom: element.offsetTop + element.offsetHeight,
  }));
}
