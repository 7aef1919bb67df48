import type { GraphScene } from "../../contract/graph/graph.ts";

/** What a graph shows, apart from its window. */
export interface GraphScope {
  scene: GraphScene;
  /** Id of a device that is not merged into another. */
  focus: string | null;
  hops: number;
  /** Sorted, without repetitions. */
  expand: readonly string[];
  /** In canonical form; null shows everything. */
  filter: string | null;
}

/** Equal for equal scopes only. */
export function scopeKey({ scene, focus, hops, expand, filter }: GraphScope): string {
  return JSON.stringify([scene, focus, focus === null ? 1 : hops, expand, filter]);
}
