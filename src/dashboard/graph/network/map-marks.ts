/// <reference lib="dom" />
// What is drawn over the discs, so that kinds and states are told apart without colour.
import type { GraphNode } from "../../../contract/graph/graph.ts";
import { formatCount } from "../../ui/format.ts";
import { isCluster } from "../graph-model.ts";
import { FONT } from "./map-labels.ts";
import { isInside, type Palette } from "../graph-style.ts";

interface MarkedNode {
  node: GraphNode;
  x: number;
  y: number;
  radius: number;
  selected: boolean;
  focused: boolean;
  found: boolean;
  isNew: boolean;
  isGone: boolean;
  dimmed: boolean;
  icon: string | null;
}

function ring(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, Math.max(0, radius), 0, 2 * Math.PI);
}

const LEAST_ICON = 6.5;
const icons = new Map<string, Path2D>();

function iconOf(path: string): Path2D {
  let icon = icons.get(path);
  if (icon === undefined) icons.set(path, icon = new Path2D(path));
  return icon;
}

/** Draws one node's marks; the disc itself is drawn by WebGL. */
export function drawMarks(context: CanvasRenderingContext2D, mark: MarkedNode, palette: Palette): void {
  const { node, x, y, radius } = mark;
  context.globalAlpha = mark.dimmed ? 0.25 : 1;
  if (mark.isGone) {
    ring(context, x, y, radius);
    context.fillStyle = palette.surface;
    context.fill();
    context.setLineDash([3, 3]);
    context.lineWidth = 1.5;
    context.strokeStyle = palette.muted;
    context.stroke();
    context.setLineDash([]);
  } else if (isCluster(node)) {
    drawCluster(context, mark, palette);
  } else if (!isInside(node)) {
    // Hollow: not one of the site's own.
    ring(context, x, y, radius * 0.55);
    context.fillStyle = palette.surface;
    context.fill();
  } else if (mark.icon !== null && radius >= LEAST_ICON) {
    drawIcon(context, mark, palette, mark.icon);
  }
  if (node.incidents > 0 && node.severity !== null && !mark.isGone) {
    ring(context, x, y, radius + Math.min(3, radius * 0.4));
    context.lineWidth = Math.min(2, radius * 0.3);
    context.strokeStyle = palette[node.severity];
    context.stroke();
  }
  if (node.intel) drawTriangle(context, x + radius * 0.8, y - radius * 0.8, badgeOf(radius), palette);
  if (mark.isNew) drawPlus(context, x - radius * 0.8, y - radius * 0.8, badgeOf(radius), palette);
  if (mark.found || mark.focused || mark.selected) {
    ring(context, x, y, radius + (mark.selected ? 6 : 5));
    context.lineWidth = mark.selected ? 3 : 2;
    context.setLineDash(mark.selected ? [] : mark.focused ? [2, 2] : [6, 3]);
    context.strokeStyle = palette.focus;
    context.stroke();
    context.setLineDash([]);
  }
  context.globalAlpha = 1;
}

function drawCluster(
  context: CanvasRenderingContext2D,
  { node, x, y, radius }: MarkedNode,
  palette: Palette,
): void {
  ring(context, x, y, radius * 0.82);
  context.lineWidth = 1.5;
  context.strokeStyle = palette.surface;
  context.stroke();
  if (!isInside(node)) {
    ring(context, x, y, radius * 0.62);
    context.fillStyle = palette.surface;
    context.fill();
  }
  if (radius < 8) return;
  context.font = `600 ${Math.min(14, Math.round(radius * 0.62))}px ${FONT}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = isInside(node) ? palette.surface : palette.text;
  context.fillText(formatCount(node.member_count), x, y + 0.5);
}

function drawIcon(
  context: CanvasRenderingContext2D,
  { x, y, radius }: MarkedNode,
  palette: Palette,
  path: string,
): void {
  const scale = radius * 1.15 / 16;
  context.save();
  context.translate(x - 8 * scale, y - 8 * scale);
  context.scale(scale, scale);
  context.lineWidth = 1.7;
  context.lineCap = "round";
  context.lineJoin = "round";
  context.strokeStyle = palette.surface;
  context.stroke(iconOf(path));
  context.restore();
}

/** The size of a badge on a disc. */
function badgeOf(radius: number): number {
  return Math.max(2.5, Math.min(6, radius * 0.55));
}

type Context = CanvasRenderingContext2D;

/** Threat intelligence. */
function drawTriangle(context: Context, x: number, y: number, size: number, palette: Palette): void {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y + size * 0.85);
  context.lineTo(x - size, y + size * 0.85);
  context.closePath();
  context.fillStyle = palette.bad;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = palette.surface;
  context.stroke();
}

function drawPlus(context: Context, x: number, y: number, size: number, palette: Palette): void {
  ring(context, x, y, size);
  context.fillStyle = palette.focus;
  context.fill();
  context.beginPath();
  context.moveTo(x - size / 2, y);
  context.lineTo(x + size / 2, y);
  context.moveTo(x, y - size / 2);
  context.lineTo(x, y + size / 2);
  context.lineWidth = size / 4;
  context.strokeStyle = palette.surface;
  context.stroke();
}
