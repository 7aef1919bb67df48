/// <reference lib="webworker" />
// Computes the full layout off the page's thread.
import { arrange, type LayoutRequest, type Point } from "./layout.ts";

export interface LayoutAnswer {
  id: number;
  positions: [string, Point][];
}

self.addEventListener("message", ({ data }: MessageEvent<{ id: number; request: LayoutRequest }>) => {
  const answer: LayoutAnswer = { id: data.id, positions: [...arrange(data.request)] };
  self.postMessage(answer);
});
