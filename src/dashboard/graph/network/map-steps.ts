// Steps from node to node by keyboard.
import type { GraphNode } from "../../../contract/graph/graph.ts";
import { SEVERITY_ORDER } from "../../ui/severity.ts";
import type { GraphState } from "../graph-model.ts";
import type { Point } from "./layout.ts";

interface Placed extends Point {
  id: string;
}

/** The nearest candidate in a direction, preferring what lies straight ahead. */
export function nearestIn(direction: Point, from: Point, candidates: Placed[]): string | null {
  let [found, least]: [string | null, number] = [null, Infinity];
  for (const { id, x, y } of candidates) {
    const [dx, dy] = [x - from.x, y - from.y];
    const along = dx * direction.x + dy * direction.y;
    const across = Math.abs(dx * direction.y) + Math.abs(dy * direction.x);
    if (along <= 0 || across > along * 1.5) continue;
    const cost = along + across * 2;
    if (cost < least) [found, least] = [id, cost];
  }
  return found;
}

/** The focus, otherwise the node with the worst incident and the most traffic. */
export function firstNode(state: GraphState, isShown: (id: string) => boolean): string | null {
  if (state.focus !== null && isShown(state.focus)) return state.focus;
  const severity = (node: GraphNode) =>
    node.severity === null ? SEVERITY_ORDER.length : SEVERITY_ORDER.indexOf(node.severity);
  const [first] = [...state.nodes.values()].filter(({ node_id }) => isShown(node_id))
    .sort((a, b) => severity(a) - severity(b) || Number(b.bytes) - Number(a.bytes));
  return first?.node_id ?? null;
}
