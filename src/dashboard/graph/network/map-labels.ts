/// <reference lib="dom" />
// Names beside the discs. The important ones come first; a name that would cover another is left out.
import type { Palette } from "../graph-style.ts";

export const FONT = '"Inter Variable", -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif';

export interface Disc {
  x: number;
  y: number;
  radius: number;
  /** How important it is; of the labels the highest is placed first. */
  rank: number;
}

/** The name of a disc. */
export interface Label extends Disc {
  text: string;
}

/** Where labels may be: within the view, and not under what lies over the map. */
export interface LabelArea {
  width: number;
  height: number;
  covered: readonly Box[];
}

/** A label where it is drawn: `x` is its middle, `y` its upper edge. */
interface PlacedLabel {
  text: string;
  rank: number;
  x: number;
  y: number;
}

/** From this rank on a name covers any disc if it has no other place: incidents of high severity, what is selected. */
const MAY_COVER_ANY = 140;
/** From this rank on a name covers less important discs: incidents of medium severity or higher, groups. */
const MAY_COVER = 80;
/** A disc is less important than a name if their ranks differ by this. */
const LESS_IMPORTANT = 20;
/** Below this rank a name has only its place below the disc, so that the map stays calm. */
const HAS_CHOICE = 20;

const MOST_LETTERS = 28;
const HEIGHT = 15;
const DISTANCE = 5;
const MOST_WIDTHS = 4000;
const widths = new Map<string, number>();

/** After a font was loaded: texts were measured in another one. */
export function forgetWidths(): void {
  widths.clear();
}

function shortened(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function overlap(one: Box, two: Box): boolean {
  return one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
}

/** Below the disc if there is room, otherwise above it or beside it. */
function placesOf({ x, y, radius, text, rank }: Label, width: number): PlacedLabel[] {
  const below = { text, rank, x, y: y + radius + DISTANCE };
  if (rank < HAS_CHOICE) return [below];
  const beside = radius + DISTANCE + width / 2;
  return [
    below,
    { text, rank, x, y: y - radius - DISTANCE - HEIGHT },
    { text, rank, x: x + beside, y: y - HEIGHT / 2 },
    { text, rank, x: x - beside, y: y - HEIGHT / 2 },
  ];
}

/** A disc as a box. */
interface Obstacle extends Box {
  rank: number;
}

/** What it costs to cover the discs under a box: 0 if there are none, infinite if they may not be covered. */
function costOf(box: Box, label: Label, obstacles: readonly Obstacle[]): number {
  let cost = 0;
  for (const obstacle of obstacles) {
    if (!overlap(box, obstacle)) continue;
    const least = obstacle.rank > label.rank - LESS_IMPORTANT ? MAY_COVER_ANY : MAY_COVER;
    if (label.rank < least) return Infinity;
    cost += 1 + obstacle.rank;
  }
  return cost;
}

/** The labels that have room, by rank. */
export function placeLabels(
  labels: readonly Label[],
  discs: readonly Disc[],
  area: LabelArea,
  widthOf: (text: string) => number,
): PlacedLabel[] {
  const boxes: Box[] = [...area.covered];
  const placed: PlacedLabel[] = [];
  const obstacles = discs.map(({ x, y, radius, rank }): Obstacle => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
    rank,
  }));
  const sorted = [...labels].sort((a, b) => b.rank - a.rank || (a.text < b.text ? -1 : 1));
  for (const label of sorted) {
    const width = widthOf(label.text);
    const half = width / 2 + 2;
    let [best, least]: [{ place: PlacedLabel; box: Box } | null, number] = [null, Infinity];
    for (const place of placesOf(label, width)) {
      const box = { left: place.x - half, right: place.x + half, top: place.y, bottom: place.y + HEIGHT };
      if (box.left < 0 || box.top < 0 || box.right > area.width || box.bottom > area.height) continue;
      if (boxes.some((other) => overlap(box, other))) continue;
      const cost = costOf(box, label, obstacles);
      if (cost < least) [best, least] = [{ place, box }, cost];
      if (cost === 0) break;
    }
    if (best === null) continue;
    boxes.push(best.box);
    placed.push(best.place);
  }
  return placed;
}

export function drawLabels(
  context: CanvasRenderingContext2D,
  labels: readonly Label[],
  discs: readonly Disc[],
  area: LabelArea,
  palette: Palette,
): void {
  context.font = `500 12px ${FONT}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  context.lineWidth = 3.5;
  context.lineJoin = "round";
  context.strokeStyle = palette.surface;
  context.fillStyle = palette.text;
  if (widths.size > MOST_WIDTHS) widths.clear();
  const widthOf = (text: string) => {
    let width = widths.get(text);
    if (width === undefined) widths.set(text, width = context.measureText(text).width);
    return width;
  };
  const short = labels.map((label) => ({ ...label, text: shortened(label.text) }));
  for (const { text, x, y } of placeLabels(short, discs, area, widthOf)) {
    // Outlined in the background's colour, so that it stays readable on links.
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }
}
