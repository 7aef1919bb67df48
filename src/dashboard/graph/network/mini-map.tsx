/// <reference lib="dom" />
import { type PointerEvent, useEffect, useRef } from "react";
import type { NetworkRenderer } from "./network-renderer.ts";

const WIDTH = 168;
const HEIGHT = 112;

/** Draws the whole map with the visible part marked. */
function drawMiniMap(canvas: HTMLCanvasElement, renderer: NetworkRenderer): void {
  const ratio = globalThis.devicePixelRatio || 1;
  if (canvas.width !== WIDTH * ratio) [canvas.width, canvas.height] = [WIDTH * ratio, HEIGHT * ratio];
  const context = canvas.getContext("2d");
  if (context === null) return;
  // It helps only while a part of the map is outside the view.
  canvas.hidden = renderer.camera.showsWhole;
  const { points, view } = renderer.overview();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, WIDTH, HEIGHT);
  for (const { x, y, colour } of points) {
    context.beginPath();
    context.arc(x * WIDTH, y * HEIGHT, 2, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
  }
  context.strokeStyle = renderer.palette.focus;
  context.lineWidth = 1.5;
  context.strokeRect(view.x * WIDTH, view.y * HEIGHT, view.width * WIDTH, view.height * HEIGHT);
}

interface MiniMapProps {
  renderer: NetworkRenderer | null;
  /** Receives the function that draws it again. */
  onReady: (draw: (() => void) | null) => void;
}

/** The whole map in a corner; a click or drag moves the view. The keyboard has the arrow keys and 0. */
export function MiniMap({ renderer, onReady }: MiniMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (renderer === null) return;
    const draw = () => canvas.current && drawMiniMap(canvas.current, renderer);
    onReady(draw);
    draw();
    return () => onReady(null);
  }, [renderer, onReady]);
  const look = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    renderer?.camera.lookAt((event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height);
  };
  return (
    <canvas ref={canvas} className="mini-map" aria-hidden="true" onPointerDown={look} onPointerMove={look} />
  );
}
