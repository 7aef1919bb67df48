import type { End, EndGraph } from "./ends.ts";

/**
 * The part of a graph that is at most `hops` links away from an end: the ends, and the links that lead there. Nothing
 * if the end is not in the graph.
 */
export function around(graph: EndGraph, focus: string, hops: number): EndGraph {
  const { ends, links, low, high, byNo } = graph;
  const start = ends.find(({ id }) => id === focus);
  if (start === undefined) return { ...graph, ends: [], links: new Int32Array() };
  const reached = new Set<End>([start]);
  /** Reached before the last hop, by the number of the end: all links of these ends belong to the part. */
  const inner = new Uint8Array(byNo.length);
  for (let hop = 0; hop < hops; hop++) {
    for (const { no } of reached) inner[no] = 1;
    for (const link of links) {
      const [a, b] = [low[link]!, high[link]!];
      if (inner[a] === 1) reached.add(byNo[b]!);
      if (inner[b] === 1) reached.add(byNo[a]!);
    }
  }
  return {
    ...graph,
    ends: [...reached],
    links: links.filter((link) => inner[low[link]!] === 1 || inner[high[link]!] === 1),
  };
}
