/// <reference lib="dom" />
import type { ColourKey, Palette } from "../graph-style.ts";
import type { LegendShape } from "../legend-shapes.ts";
import { FONT } from "./map-labels.ts";
import type { NetworkRenderer } from "./network-renderer.ts";

const PADDING = 16;
const LINE = 20;

/** An entry of the legend: a colour of nodes or a shape. */
type LegendItem = { label: string } & ({ colour: ColourKey } | { shape: LegendShape });

/** Room for the swatch of an entry, and between two entries. */
const SWATCH = 24;
const GAP = 16;

interface Placed<T> {
  item: T;
  x: number;
  row: number;
}

/** Puts entries beside each other in as many rows as it takes. */
export function inRows<T>(items: readonly T[], widthOf: (item: T) => number, width: number): Placed<T>[] {
  let [x, row] = [0, 0];
  return items.map((item) => {
    const own = widthOf(item);
    if (x > 0 && x + own > width) [x, row] = [0, row + 1];
    const placed = { item, x, row };
    x += own + GAP;
    return placed;
  });
}

const font = (weight: number) => `${weight} 13px ${FONT}`;

/** The map with a caption that states what it shows, and when, and the legend below. */
export function captioned(
  renderer: NetworkRenderer,
  lines: string[],
  legend: readonly LegendItem[],
): HTMLCanvasElement {
  const picture = renderer.picture();
  const ratio = globalThis.devicePixelRatio || 1;
  const room = picture.width / ratio - 2 * PADDING;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  context.font = font(400);
  const placed = inRows(legend, ({ label }) => SWATCH + context.measureText(label).width, room);
  const rows = 1 + (placed.at(-1)?.row ?? -1);
  canvas.width = picture.width;
  canvas.height = picture.height + ((lines.length + rows) * LINE + 2 * PADDING) * ratio;
  context.fillStyle = renderer.palette.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0);
  context.setTransform(ratio, 0, 0, ratio, 0, picture.height);
  context.textBaseline = "top";
  lines.forEach((line, at) => {
    context.font = font(at === 0 ? 600 : 400);
    context.fillStyle = at === 0 ? renderer.palette.text : renderer.palette.muted;
    context.fillText(line, PADDING, PADDING + at * LINE, room);
  });
  for (const { item, x, row } of placed) {
    const y = PADDING + (lines.length + row) * LINE;
    drawSwatch(context, item, PADDING + x + SWATCH / 2 - 4, y + 7, renderer.palette);
    context.fillStyle = renderer.palette.text;
    context.fillText(item.label, PADDING + x + SWATCH, y);
  }
  return canvas;
}

/** As the shapes of the legend on the page. */
function drawSwatch(
  context: CanvasRenderingContext2D,
  item: LegendItem,
  x: number,
  y: number,
  palette: Palette,
): void {
  const disc = (radius: number, fill: string | null, stroke: string | null, width = 1.5) => {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    if (fill !== null) {
      context.fillStyle = fill;
      context.fill();
    }
    if (stroke !== null) {
      context.lineWidth = width;
      context.strokeStyle = stroke;
      context.stroke();
    }
  };
  const line = (points: readonly [number, number][], stroke: string, width: number) => {
    context.beginPath();
    for (const [dx, dy] of points) context.lineTo(x + dx, y + dy);
    context.lineWidth = width;
    context.strokeStyle = stroke;
    context.stroke();
  };
  if ("colour" in item) return disc(6, palette[item.colour], null);
  switch (item.shape) {
    case "device":
      return disc(6, palette.inside, null);
    case "external":
      return disc(5, palette.surface, palette.outside, 3);
    case "cluster":
      disc(8, palette.inside, null);
      return disc(6.4, null, palette.surface);
    case "incident":
      disc(5, palette.inside, null);
      return disc(8, null, palette.high, 2);
    case "intel":
      line([[0, -6], [6, 5], [-6, 5]], palette.bad, 1);
      context.fillStyle = palette.bad;
      return context.fill();
    case "link":
      return line([[-8, 4], [8, -4]], palette.line, 3);
    case "incident-link":
      return line([[-8, 4], [8, -4]], palette.high, 3);
    case "new":
      line([[0, -5], [0, 5]], palette.focus, 2);
      return line([[-5, 0], [5, 0]], palette.focus, 2);
    case "gone":
      context.setLineDash([3, 3]);
      disc(6, null, palette.muted);
      return context.setLineDash([]);
  }
}

/** Saves a canvas as a PNG file. */
export function savePng(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((blob) => {
    if (blob === null) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    // The download has started when the click returns; the browser keeps the data until it ends.
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }, "image/png");
}
