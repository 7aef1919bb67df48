/// <reference lib="dom" />
import { FONT } from "./map-labels.ts";
import type { NetworkRenderer } from "./network-renderer.ts";

const PADDING = 16;
const LINE = 20;

/** The map with a caption that states what it shows, and when. */
export function captioned(renderer: NetworkRenderer, lines: string[]): HTMLCanvasElement {
  const picture = renderer.picture();
  const ratio = globalThis.devicePixelRatio || 1;
  const canvas = document.createElement("canvas");
  canvas.width = picture.width;
  canvas.height = picture.height + (lines.length * LINE + 2 * PADDING) * ratio;
  const context = canvas.getContext("2d")!;
  context.fillStyle = renderer.palette.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0);
  context.setTransform(ratio, 0, 0, ratio, 0, picture.height);
  context.textBaseline = "top";
  lines.forEach((line, at) => {
    context.font = `${at === 0 ? 600 : 400} 13px ${FONT}`;
    context.fillStyle = at === 0 ? renderer.palette.text : renderer.palette.muted;
    context.fillText(line, PADDING, PADDING + at * LINE, canvas.width / ratio - 2 * PADDING);
  });
  return canvas;
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
