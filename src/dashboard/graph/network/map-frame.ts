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
