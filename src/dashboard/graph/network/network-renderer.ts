/// <reference lib="dom" />
// Draws the network map with sigma: positions, colours, interaction. Not a React component, because sigma keeps its
// own state and redraws far more often than the page.
import { UndirectedGraph } from "graphology";
import Sigma from "sigma";
import type { GraphLink, GraphNode } from "../../../contract/graph/graph.ts";
import { formatLabel } from "../../ui/format.ts";
import { typePath } from "../../entity/device/device-type.tsx";
import { clusterOf, isOtherMap, neighbours, otherEnd } from "../graph-model.ts";
import { hasForcedColours, isInside, type Palette, radiusOf, readPalette, widthOf } from "../graph-style.ts";
import type { LayoutRequest, Newcomer, Point, Positions } from "./layout.ts";
import { placeNewcomers } from "./layout.ts";
import {
  isDimmed,
  labelRank,
  linkLook,
  type LookContext,
  type MapScene,
  nearOf,
  nodeLook,
} from "./map-look.ts";
import { type Disc, drawLabels, forgetWidths, type Label } from "./map-labels.ts";
import { drawMarks } from "./map-marks.ts";
import { firstNode, nearestIn } from "./map-steps.ts";
import { MapCamera } from "./map-camera.ts";
import { coveredBoxes } from "./map-covers.ts";
import { layoutInWorker } from "./run-layout.ts";
import { loadPositions, savePositions } from "./positions.ts";

export interface MapHandlers {
  onSelect(id: string | null): void;
  /** A double click. */
  onOpen(id: string): void;
  /** After the map was drawn, for the overview in the corner. */
  onRender(): void;
  /** The share of the layout that is done; null if none is running. */
  onArranging(share: number | null): void;
  /** How many nodes a person has moved. */
  onMoved(count: number): void;
}

export class NetworkRenderer {
  readonly #graph = new UndirectedGraph();
  readonly #sigma: Sigma;
  readonly camera: MapCamera;
  readonly #marks: CanvasRenderingContext2D;
  readonly #moved: Positions;
  /** Every known position, also of nodes that are not on the map at the moment. */
  readonly #positions: Positions;
  #palette: Palette;
  #scene: MapScene | null = null;
  #drawn = new Map<string, GraphNode>();
  #hovered: string | null = null;
  #look: LookContext | null = null;
  #layout = 0;
  #dragged: string | null = null;
  #killed = false;

  constructor(
    readonly container: HTMLElement,
    readonly tenant: string,
    readonly handlers: MapHandlers,
  ) {
    const stored = loadPositions(tenant);
    this.#moved = stored.moved;
    this.#positions = new Map([...stored.placed, ...stored.moved]);
    this.#palette = readPalette(container);
    this.#sigma = new Sigma(this.#graph, container, {
      itemSizesReference: "positions",
      zoomToSizeRatioFunction: (ratio) => ratio,
      enableEdgeEvents: true,
      zIndex: true,
      // Labels are drawn with the marks, so that they do not overlap.
      renderLabels: false,
      minEdgeThickness: 1.2,
      stagePadding: 30,
      minCameraRatio: 0.04,
      maxCameraRatio: 4,
      doubleClickZoomingRatio: 1,
      nodeReducer: (id, data) => ({ ...data, ...this.#look && nodeLook(this.#look, id) }),
      edgeReducer: (id, data) => ({ ...data, ...this.#look && linkLook(this.#look, id) }),
      defaultDrawNodeHover: () => {},
      allowInvalidContainer: true,
    });
    this.camera = new MapCamera(this.#sigma, this.#graph, container);
    const canvas = this.#sigma.createCanvas("marks", { beforeLayer: "labels" });
    canvas.style.pointerEvents = "none";
    this.#marks = canvas.getContext("2d")!;
    this.#sigma.on("beforeRender", () => this.#drawMarks());
    this.#sigma.on("afterRender", () => {
      this.#drawMarks();
      handlers.onRender();
    });
    this.#listen();
    handlers.onMoved(this.#moved.size);
  }

  kill(): void {
    this.#killed = true;
    this.#save();
    this.#sigma.kill();
  }

  /** Shows another state. Nodes that are already on the map stay where they are. */
  update(scene: MapScene): void {
    const former = this.#scene;
    const isOther = isOtherMap(former?.state ?? null, scene.state);
    const before = this.#drawn;
    this.#scene = scene;
    const nodes = new Map(scene.state.nodes);
    if (scene.showGone) {
      for (const node of scene.comparison?.goneNodes ?? []) {
        if (!nodes.has(node.node_id)) nodes.set(node.node_id, node);
      }
    }
    const unplaced = [...nodes.values()].filter(({ node_id }) =>
      !this.#graph.hasNode(node_id) && !this.#positions.has(node_id)
    );
    this.#drawn = nodes;
    const restart = this.#graph.order === 0 && unplaced.length > nodes.size / 2;
    if (restart) {
      // This map has no stored positions: show nothing until the layout has computed them.
      if (nodes.size > 0) void this.arrange();
      return;
    }
    this.#placeNewcomers(unplaced, before);
    this.#draw();
    if (isOther) return this.camera.fit(false);
    const added = [...nodes.keys()].filter((id) => !before.has(id));
    const asked = former?.state.expanded !== scene.state.expanded || former.showGone !== scene.showGone;
    // What is being dragged stays under the pointer.
    if (added.length > 0 && this.#dragged === null) this.camera.showAdded(added, asked);
  }

  #placeNewcomers(unplaced: GraphNode[], before: ReadonlyMap<string, GraphNode>): void {
    const scene = this.#scene;
    if (unplaced.length === 0 || scene === null) return;
    const links = neighbours({ nodes: this.#drawn, links: this.#links() });
    const members = new Map<string, string[]>();
    for (const node of before.values()) {
      const cluster = clusterOf(node);
      if (cluster === null || this.#drawn.has(node.node_id)) continue;
      members.set(cluster, [...members.get(cluster) ?? [], node.node_id]);
    }
    const newcomers = unplaced.map((node): Newcomer => {
      const cluster = clusterOf(node);
      const left = cluster !== null && before.has(cluster) && !this.#drawn.has(cluster);
      return {
        ...layoutNode(node),
        neighbours: (links.get(node.node_id) ?? []).map((link) => otherEnd(link, node.node_id)),
        origins: left ? [cluster] : members.get(node.node_id) ?? [],
      };
    });
    const present: Positions = new Map();
    const absent: Positions = new Map();
    for (const [id, at] of this.#positions) (this.#drawn.has(id) ? present : absent).set(id, at);
    const sizeOf = (id: string) => radiusOf(this.#drawn.get(id)!) * SPACE;
    const placed = placeNewcomers(newcomers, present, absent, sizeOf, scene.state.seed);
    for (const [id, at] of placed) this.#positions.set(id, at);
    this.#save();
  }

  /** Computes the full layout. Nodes that a person moved stay. */
  async arrange(): Promise<void> {
    const scene = this.#scene;
    if (scene === null) return;
    const turn = ++this.#layout;
    const request: LayoutRequest = {
      nodes: [...this.#drawn.values()].map(layoutNode),
      links: [...this.#links().values()].map((link) => ({
        source: link.source,
        target: link.target,
        weight: widthOf(link),
      })),
      seed: scene.state.seed,
      fixed: [...this.#moved].filter(([id]) => this.#drawn.has(id)),
    };
    const isCurrent = () => !this.#killed && turn === this.#layout;
    this.handlers.onArranging(0);
    try {
      const positions = await layoutInWorker(request, (share) => {
        if (isCurrent()) this.handlers.onArranging(share);
      });
      if (!isCurrent()) return;
      for (const [id, at] of positions) this.#positions.set(id, at);
      // Deltas may have come while the worker computed.
      this.#placeNewcomers(
        [...this.#drawn.values()].filter(({ node_id }) => !this.#positions.has(node_id)),
        this.#drawn,
      );
      this.#draw();
      this.camera.fit(false);
      this.#save();
    } finally {
      if (isCurrent()) this.handlers.onArranging(null);
    }
  }

  /** Forgets where a person moved nodes, and arranges the map again. */
  releaseMoved(): Promise<void> {
    this.#moved.clear();
    this.handlers.onMoved(0);
    return this.arrange();
  }

  #save(): void {
    const placed = new Map([...this.#positions].filter(([id]) => !this.#moved.has(id)));
    savePositions(this.tenant, { moved: this.#moved, placed });
  }

  /** Links on the map, also those that are gone if they are shown. */
  #links(): Map<string, GraphLink> {
    const links = new Map(this.#scene?.state.links);
    if (this.#scene?.showGone) {
      for (const link of this.#scene.comparison?.goneLinks ?? []) links.set(link.link_id, link);
    }
    return links;
  }

  /** Brings sigma's graph in line with what is to be drawn. */
  #draw(): void {
    const scene = this.#scene;
    if (scene === null) return;
    const graph = this.#graph;
    const links = this.#links();
    for (const id of graph.edges()) if (!links.has(id)) graph.dropEdge(id);
    for (const id of graph.nodes()) if (!this.#drawn.has(id)) graph.dropNode(id);
    for (const node of this.#drawn.values()) {
      const at = this.#positions.get(node.node_id);
      if (at === undefined) continue;
      const look = { size: radiusOf(node), label: node.label };
      // A node that is being dragged stays under the pointer.
      if (node.node_id === this.#dragged) graph.mergeNodeAttributes(node.node_id, look);
      else graph.mergeNode(node.node_id, { ...at, ...look });
    }
    for (const link of links.values()) {
      if (!graph.hasNode(link.source) || !graph.hasNode(link.target) || link.source === link.target) continue;
      const look = { size: widthOf(link) };
      if (graph.hasEdge(link.link_id)) graph.mergeEdgeAttributes(link.link_id, look);
      else if (!graph.hasEdge(link.source, link.target)) {
        graph.addEdgeWithKey(link.link_id, link.source, link.target, look);
      }
    }
    this.#updateLook();
    this.#sigma.refresh();
  }

  /** What looks depend on; null before the first state. */
  #updateLook(): void {
    const scene = this.#scene;
    const near = nearOf(this.#graph, this.#hovered ?? scene?.selected ?? null);
    this.#look = scene === null ? null : {
      scene,
      drawn: this.#drawn,
      graph: this.#graph,
      palette: this.#palette,
      hovered: this.#hovered,
      near,
    };
  }

  #drawMarks(): void {
    const scene = this.#scene;
    const { width, height } = this.#sigma.getDimensions();
    const ratio = globalThis.devicePixelRatio || 1;
    const canvas = this.#marks.canvas;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    this.#marks.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#marks.clearRect(0, 0, width, height);
    const look = this.#look;
    if (scene === null || look === null) return;
    const labels: Label[] = [];
    const discs: Disc[] = [];
    const forced = hasForcedColours();
    for (const id of this.#graph.nodes()) {
      const node = this.#drawn.get(id);
      const place = this.camera.placeOf(id);
      if (node === undefined || place === null) continue;
      if (!this.camera.isNear(place)) continue;
      const rank = labelRank(look, id);
      discs.push({ ...place, rank: rank ?? 0 });
      if (rank !== null) labels.push({ ...place, text: labelText(node, forced), rank });
      drawMarks(this.#marks, {
        node,
        ...place,
        selected: scene.selected === id,
        focused: scene.state.focus === id,
        found: scene.found.has(id),
        isNew: scene.showNew && scene.comparison?.newNodes.has(id) === true,
        isGone: !scene.state.nodes.has(id),
        dimmed: isDimmed(look, id),
        icon: node.kind === "device" ? typePath(node.device_type ?? "unknown") : null,
      }, this.#palette);
    }
    drawLabels(
      this.#marks,
      labels,
      discs,
      { width, height, covered: coveredBoxes(this.container) },
      this.#palette,
    );
  }

  #listen(): void {
    const sigma = this.#sigma;
    sigma.on("clickNode", ({ node }) => this.handlers.onSelect(node));
    sigma.on("clickEdge", ({ edge }) => this.handlers.onSelect(edge));
    sigma.on("clickStage", () => this.handlers.onSelect(null));
    sigma.on("doubleClickNode", (event) => {
      event.preventSigmaDefault();
      this.handlers.onOpen(event.node);
    });
    sigma.on("enterNode", ({ node }) => this.#hover(node));
    sigma.on("leaveNode", () => this.#hover(null));
    sigma.on("downNode", (event) => {
      this.#dragged = event.node;
      event.preventSigmaDefault();
    });
    let moving = false;
    sigma.on("moveBody", ({ event }) => {
      if (this.#dragged === null) return;
      moving = true;
      const at = sigma.viewportToGraph(event);
      this.#graph.mergeNodeAttributes(this.#dragged, at);
      event.preventSigmaDefault();
      event.original.preventDefault();
      event.original.stopPropagation();
    });
    const drop = () => {
      const id = this.#dragged;
      const dropped = moving;
      [this.#dragged, moving] = [null, false];
      if (id === null || !dropped || !this.#graph.hasNode(id)) return;
      this.moveTo(id, { x: this.#graph.getNodeAttribute(id, "x"), y: this.#graph.getNodeAttribute(id, "y") });
    };
    sigma.on("upNode", drop);
    sigma.on("upStage", drop);
  }

  /** A person moved a node. */
  moveTo(id: string, at: Point): void {
    // The newest are kept if there are too many.
    this.#moved.delete(id);
    this.#moved.set(id, at);
    this.handlers.onMoved(this.#moved.size);
    this.#positions.set(id, at);
    this.#graph.mergeNodeAttributes(id, at);
    this.#save();
  }

  #hover(node: string | null): void {
    this.#hovered = node;
    this.container.classList.toggle("map-over-node", node !== null);
    this.#updateLook();
    this.#sigma.refresh({ skipIndexation: true });
  }

  /** The neighbour in a direction of the screen; without a link there, the nearest node. */
  next(from: string, direction: Point): string | null {
    const start = this.camera.placeOf(from);
    if (start === null) return null;
    const placed = (ids: string[]) =>
      ids.flatMap((id) => {
        const place = id === from ? null : this.camera.placeOf(id);
        return place === null ? [] : [{ id, ...place }];
      });
    return nearestIn(direction, start, placed(this.#graph.neighbors(from))) ??
      nearestIn(direction, start, placed(this.#graph.nodes()));
  }

  /** The node to start with. */
  start(): string | null {
    const state = this.#scene?.state;
    return state === undefined ? null : firstNode(state, (id) => this.#graph.hasNode(id));
  }

  /** After a change of the theme, or of the fonts. */
  repaint(): void {
    forgetWidths();
    this.#palette = readPalette(this.container);
    this.#updateLook();
    this.#sigma.refresh();
  }

  /** What the overview in the corner draws: points and the visible part, in shares of the frame. */
  overview(): { points: { x: number; y: number; colour: string; inside: boolean }[]; view: DOMRectReadOnly } {
    const scene = this.#scene;
    const { width, height } = this.#sigma.getDimensions();
    const points = this.#graph.nodes().flatMap((id) => {
      const data = this.#sigma.getNodeDisplayData(id);
      const node = this.#drawn.get(id);
      if (data === undefined || node === undefined || scene === null) return [];
      const colour = this.#palette[scene.colouring.colourOf(node)];
      return [{ x: data.x, y: 1 - data.y, colour, inside: isInside(node) }];
    });
    const corner = this.#sigma.viewportToFramedGraph({ x: 0, y: 0 });
    const other = this.#sigma.viewportToFramedGraph({ x: width, y: height });
    const view = new DOMRectReadOnly(corner.x, 1 - corner.y, other.x - corner.x, corner.y - other.y);
    return { points, view };
  }

  get palette(): Palette {
    return this.#palette;
  }

  /** The map as it is shown, on an opaque background. */
  picture(): HTMLCanvasElement {
    // WebGL clears its buffer after the frame: draw and copy within one task.
    this.#sigma.refresh();
    this.#drawMarks();
    const { width, height } = this.#sigma.getDimensions();
    const ratio = globalThis.devicePixelRatio || 1;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d")!;
    context.fillStyle = this.#palette.surface;
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (const layer of this.container.querySelectorAll("canvas")) {
      if (layer.width > 0) context.drawImage(layer, 0, 0, canvas.width, canvas.height);
    }
    return canvas;
  }
}

/** The name of a node; with its severity if a person's own colours may hide it. */
function labelText({ label, severity }: GraphNode, forced: boolean): string {
  return forced && severity !== null ? `${label}, ${formatLabel(severity).toLowerCase()}` : label;
}

/** Room around a disc for its label. */
const SPACE = 1.7;

function layoutNode(node: GraphNode) {
  return {
    id: node.node_id,
    radius: radiusOf(node) * SPACE,
    group: clusterOf(node) ?? node.node_id,
    external: !isInside(node),
  };
}
