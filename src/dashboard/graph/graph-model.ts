// The state of the map: a snapshot, and the deltas applied to it. Pure, so that it can be tested without a page.
import type {
  GraphArc,
  GraphDelta,
  GraphLink,
  GraphNode,
  GraphScene,
  GraphSnapshot,
} from "../../contract/graph/graph.ts";

export interface GraphState {
  scene: GraphScene;
  seed: number;
  focus: string | null;
  /** The filter and the range that were asked for; the window itself moves on with time. */
  asked: string;
  /** Ids of the expanded groups. */
  expanded: string;
  window: { from: string; to: string };
  watermark: string;
  cursor: string | null;
  truncated: boolean;
  omitted: { nodes: number; links: number; arcs: number };
  nodes: ReadonlyMap<string, GraphNode>;
  links: ReadonlyMap<string, GraphLink>;
  arcs: ReadonlyMap<string, GraphArc>;
}

/** Whether another map was asked for, which is shown whole; not if the same one goes on or a group expands. */
export function isOtherMap(before: GraphState | null, after: GraphState): boolean {
  return before === null || before.focus !== after.focus || before.asked !== after.asked;
}

export function stateOf(snapshot: GraphSnapshot, asked = "", expanded = ""): GraphState {
  return {
    scene: snapshot.scene,
    seed: snapshot.layout_seed,
    focus: snapshot.focus_node_id,
    asked,
    expanded,
    window: snapshot.window,
    watermark: snapshot.watermark,
    cursor: snapshot.cursor,
    truncated: snapshot.truncated,
    omitted: snapshot.omitted,
    nodes: new Map(snapshot.nodes.map((node) => [node.node_id, node])),
    links: new Map(snapshot.links.map((link) => [link.link_id, link])),
    arcs: new Map(snapshot.arcs.map((arc) => [arc.arc_id, arc])),
  };
}

interface Change<T> {
  upserted: readonly T[];
  removed: readonly string[];
}

/**
 * Removals first: an element that is both removed and upserted exists afterwards. A complete change removes all that it
 * does not upsert.
 */
function changed<T>(
  old: ReadonlyMap<string, T>,
  change: Change<T>,
  idOf: (item: T) => string,
  complete: boolean,
): ReadonlyMap<string, T> {
  if (complete) return new Map(change.upserted.map((item) => [idOf(item), item]));
  if (change.upserted.length === 0 && change.removed.length === 0) return old;
  const next = new Map(old);
  for (const id of change.removed) next.delete(id);
  for (const item of change.upserted) next.set(idOf(item), item);
  return next;
}

export function applyDelta(state: GraphState, delta: GraphDelta): GraphState {
  return {
    ...state,
    window: delta.window,
    watermark: delta.watermark,
    cursor: delta.cursor,
    truncated: delta.truncated,
    omitted: delta.omitted,
    nodes: changed(state.nodes, delta.nodes, ({ node_id }) => node_id, delta.complete),
    links: changed(state.links, delta.links, ({ link_id }) => link_id, delta.complete),
    arcs: changed(state.arcs, delta.arcs, ({ arc_id }) => arc_id, delta.complete),
  };
}

export function applyHeartbeat(
  state: GraphState,
  heartbeat: { cursor: string; watermark: string },
): GraphState {
  return { ...state, cursor: heartbeat.cursor, watermark: heartbeat.watermark };
}

/** The cluster that a single node would be part of. */
export function clusterOf(node: GraphNode): string | null {
  if (node.kind === "device") return `vlan:${node.vlan_id ?? "none"}`;
  if (node.kind === "external_endpoint") return `asn:${node.asn ?? "none"}`;
  return null;
}

export function isCluster(node: GraphNode): boolean {
  return node.kind === "vlan_cluster" || node.kind === "asn_cluster";
}

/** Each node's links; links with an end that is not on the map are left out. */
export function neighbours(state: Pick<GraphState, "nodes" | "links">): Map<string, GraphLink[]> {
  const byNode = new Map<string, GraphLink[]>([...state.nodes.keys()].map((id) => [id, []]));
  for (const link of state.links.values()) {
    const [source, target] = [byNode.get(link.source), byNode.get(link.target)];
    if (source === undefined || target === undefined) continue;
    source.push(link);
    target.push(link);
  }
  return byNode;
}

export function otherEnd(link: GraphLink, node: string): string {
  return link.source === node ? link.target : link.source;
}

export interface Comparison {
  newNodes: ReadonlySet<string>;
  newLinks: ReadonlySet<string>;
  /** Nodes and links that only the earlier map has. */
  goneNodes: readonly GraphNode[];
  goneLinks: readonly GraphLink[];
}

/** Whether the map shows the node, or a cluster that may contain it. */
function mayContain(state: GraphState, node: GraphNode): boolean {
  if (state.nodes.has(node.node_id)) return true;
  const cluster = clusterOf(node);
  return cluster !== null && state.nodes.has(cluster);
}

/** A cluster compares by its members: on the other map it may be expanded. */
function hasMembers(state: GraphState, cluster: string): boolean {
  for (const node of state.nodes.values()) if (clusterOf(node) === cluster) return true;
  return false;
}

function isKnown(state: GraphState, node: GraphNode): boolean {
  return mayContain(state, node) || isCluster(node) && hasMembers(state, node.node_id);
}

/** The comparison with an earlier map; null without one, or if that one is empty, so that everything would be new. */
export function comparisonOf(now: GraphState | null, before: GraphState | null): Comparison | null {
  return now === null || before === null || before.nodes.size === 0 ? null : compare(now, before);
}

/**
 * What differs from an earlier map. A node inside a cluster of the other map is neither new nor gone, because the
 * cluster's members are not listed; nor are links of such nodes.
 */
export function compare(now: GraphState, before: GraphState): Comparison {
  const newNodes = new Set<string>();
  for (const node of now.nodes.values()) if (!isKnown(before, node)) newNodes.add(node.node_id);
  const goneNodes = [...before.nodes.values()].filter((node) => !isKnown(now, node));
  const gone = new Set(goneNodes.map(({ node_id }) => node_id));
  const newLinks = new Set<string>();
  for (const link of now.links.values()) {
    if (before.links.has(link.link_id)) continue;
    const ends = [link.source, link.target];
    const listed = ends.every((id) => before.nodes.has(id));
    if (listed || ends.some((id) => newNodes.has(id))) newLinks.add(link.link_id);
  }
  const goneLinks = [...before.links.values()].filter((link) => {
    if (now.links.has(link.link_id)) return false;
    const ends = [link.source, link.target];
    return ends.every((id) => now.nodes.has(id)) || ends.some((id) => gone.has(id));
  });
  return { newNodes, newLinks, goneNodes, goneLinks };
}
