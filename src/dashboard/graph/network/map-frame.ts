// The part of the plane that fills the view.
import type { Point } from "./layout.ts";

export interface Frame {
  x: [number, number];
  y: [number, number];
}

/** Around the outermost nodes. */
export const MARGIN = 40;
/** A small map is not blown up to fill the view. */
const LEAST_EXTENT = 420;
/** Pixels. The map keeps at least this width beside the legend; otherwise the legend lies over it. */
const LEAST_WIDTH = 420;
const BUTTONS = 40;

/**
 * The frame of all nodes for a view of a width, with room for what lies over the map.
 *
 * @param legend The width that the legend takes on the left; 0 if it is closed.
 */
export function frameOf(points: readonly Point[], width: number, legend: number): Frame {
  const extent = (values: number[]): [number, number] => {
    const [least, most] = [Math.min(...values) - MARGIN, Math.max(...values) + MARGIN];
    const lack = Math.max(0, (LEAST_EXTENT - (most - least)) / 2);
    return [least - lack, most + lack];
  };
  const [left, right] = extent(points.map(({ x }) => x));
  const y = extent(points.map((point) => point.y));
  const rest = width - legend - BUTTONS;
  if (legend === 0 || rest < LEAST_WIDTH) return { x: [left, right], y };
  // The buttons are on the right.
  const unit = (right - left) / rest;
  return { x: [left - unit * legend, right + unit * BUTTONS], y };
}

/** Whether a place in pixels is in a view of a size, and `margin` away from its edges. */
export function isWithin({ x, y }: Point, width: number, height: number, margin = MARGIN): boolean {
  return x > margin && y > margin && x < width - margin && y < height - margin;
}

/** The middle of places in pixels, and how many times the extent of the view they need. */
export function viewOf(
  places: readonly Point[],
  width: number,
  height: number,
): { x: number; y: number; scale: number } {
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.max((right - left + 2 * MARGIN) / width, (bottom - top + 2 * MARGIN) / height);
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale };
}
