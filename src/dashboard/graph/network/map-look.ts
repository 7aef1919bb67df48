// The colours and labels of nodes and links: what is selected, found or new stands out, the rest steps back.
import type { UndirectedGraph } from "graphology";
import type { GraphNode } from "../../../contract/graph/graph.ts";
import { type Comparison, type GraphState, isCluster } from "../graph-model.ts";
import { SEVERITY_ORDER } from "../../ui/severity.ts";
import { type Colouring, isInside, mixColours, type Palette } from "../graph-style.ts";

export interface MapScene {
  state: GraphState;
  colouring: Colouring;
  comparison: Comparison | null;
  showNew: boolean;
  showGone: boolean;
  /** A node or link. */
  selected: string | null;
  found: ReadonlySet<string>;
}

export interface LookContext {
  scene: MapScene;
  /** Nodes on the map, also those that are gone. */
  drawn: ReadonlyMap<string, GraphNode>;
  graph: UndirectedGraph;
  palette: Palette;
  hovered: string | null;
  /** The hovered or selected node or link and what is beside it. */
  near: ReadonlySet<string> | null;
}

export function nearOf(graph: UndirectedGraph, centre: string | null): ReadonlySet<string> | null {
  if (centre !== null && graph.hasNode(centre)) {
    return new Set([centre, ...graph.neighbors(centre), ...graph.edges(centre)]);
  }
  if (centre !== null && graph.hasEdge(centre)) return new Set([centre, ...graph.extremities(centre)]);
  return null;
}

/** Whether the overlay marks only one side, so that the rest steps back. */
function showsOnlyNew({ comparison, showNew, showGone }: MapScene): boolean {
  return comparison !== null && showNew && !showGone;
}

export function isDimmed({ scene, graph, near }: LookContext, id: string): boolean {
  const { comparison, found } = scene;
  if (near !== null) return !near.has(id);
  if (found.size > 0) return !found.has(id);
  if (comparison === null || !showsOnlyNew(scene) || !graph.hasNode(id)) return false;
  return !comparison.newNodes.has(id) && !graph.edges(id).some((edge) => comparison.newLinks.has(edge));
}

export function nodeLook(context: LookContext, id: string) {
  const { scene, drawn, palette } = context;
  const node = drawn.get(id);
  if (node === undefined) return {};
  const dimmed = isDimmed(context, id);
  const colour = palette[scene.colouring.colourOf(node)];
  return {
    color: dimmed ? mixColours(colour, palette.surface, 0.78) : colour,
    zIndex: dimmed ? 0 : 1,
  };
}

function isGone({ showGone, state }: MapScene, id: string): boolean {
  return showGone && !state.nodes.has(id);
}

/** How important a node's name is; null for a node that steps back. */
export function labelRank(context: LookContext, id: string): number | null {
  const { scene, drawn, hovered, near } = context;
  const node = drawn.get(id);
  if (node === undefined || isDimmed(context, id)) return null;
  const chosen = scene.selected === id || hovered === id || scene.state.focus === id;
  const severity = node.severity === null ? 0 : SEVERITY_ORDER.length - SEVERITY_ORDER.indexOf(node.severity);
  const parts = [
    chosen ? 1000 : 0,
    scene.found.has(id) || near?.has(id) ? 400 : 0,
    node.intel ? 150 : 0,
    isGone(scene, id) ? 60 : 0,
    scene.showNew && scene.comparison?.newNodes.has(id) ? 40 : 0,
    severity * 30,
    isCluster(node) ? 80 : 0,
    isInside(node) ? 20 : 0,
    Math.log10(Number(node.bytes) + 1),
  ];
  return parts.reduce((sum, part) => sum + part);
}

export function linkLook({ scene, palette, near }: LookContext, id: string) {
  const link = scene.state.links.get(id);
  const isNew = scene.showNew && scene.comparison?.newLinks.has(id) === true;
  let colour = palette.line;
  if (isNew) colour = palette.focus;
  else if (link === undefined) colour = mixColours(palette.muted, palette.surface, 0.6);
  else if (link.intel) colour = palette.bad;
  else if (link.severity !== null) colour = mixColours(palette[link.severity], palette.surface, 0.25);
  const dimmed = near !== null ? !near.has(id) : scene.found.size > 0 || showsOnlyNew(scene) && !isNew;
  if (near !== null && !dimmed && colour === palette.line) colour = palette.muted;
  return {
    color: dimmed ? mixColours(colour, palette.surface, 0.85) : colour,
    zIndex: dimmed ? 0 : link?.severity || link?.intel || isNew ? 2 : 1,
  };
}
