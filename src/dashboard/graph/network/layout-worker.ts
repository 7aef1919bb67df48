/// <reference lib="webworker" />
// Computes the full layout off the page's thread.
import { arrange, type LayoutRequest, type Point } from "./layout.ts";

/** The share of the work that is done, or the positions at its end. */
export type LayoutAnswer = { id: number } & ({ share: number } | { positions: [string, Point][] });

const answer = (one: LayoutAnswer) => self.postMessage(one);

self.addEventListener("message", ({ data }: MessageEvent<{ id: number; request: LayoutRequest }>) => {
  const { id, request } = data;
  answer({ id, positions: [...arrange(request, (share) => answer({ id, share }))] });
});
