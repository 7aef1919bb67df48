// Where nodes are drawn. Everything here is deterministic: the same graph and seed give the same coordinates.
import { UndirectedGraph } from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";

export interface Point {
  x: number;
  y: number;
}

export interface LayoutNode {
  id: string;
  /** Radius in layout units, so that discs and their labels do not overlap. */
  radius: number;
  /** Nodes of a group start near each other; external groups start outside. */
  group: string;
  external: boolean;
}

export interface LayoutLink {
  source: string;
  target: string;
  weight: number;
}

export interface LayoutRequest {
  nodes: LayoutNode[];
  links: LayoutLink[];
  seed: number;
  /** Nodes that keep their place. */
  fixed: [string, Point][];
}

export type Positions = Map<string, Point>;

// CommonJS: the types describe the namespace, but the default import is the function itself.
const layOut = forceAtlas2 as unknown as typeof forceAtlas2.default;

/** Of the layout, in rounds after each of which it reports its progress. */
const ITERATIONS = 250;
const ROUNDS = 10;
const OVERLAP_ROUNDS = 80;
/** Room for each disc: the square of the map's radius in relation to the sum of the discs' squares. */
const ROOM = 3.2;
/** Screens are wider than high. */
const STRETCH = 1.8;
/** Between groups that are not linked with each other. */
const GAP = 34;
const INNER_RADIUS = 120;
const OUTER_RADIUS = 340;
const SPREAD = 40;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** A number in [0, 1) from a seed and a text (FNV-1a, finished as in MurmurHash3). */
export function unitOf(seed: number, text: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  hash = Math.imul(hash ^ hash >>> 16, 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ hash >>> 13, 0xc2b2ae35) >>> 0;
  return ((hash ^ hash >>> 16) >>> 0) / 2 ** 32;
}

function startOf({ id, group, external }: LayoutNode, seed: number): Point {
  const angle = unitOf(seed, group) * 2 * Math.PI;
  const radius = external ? OUTER_RADIUS : INNER_RADIUS;
  return {
    x: Math.cos(angle) * radius + (unitOf(seed, `${id}\0x`) - 0.5) * SPREAD,
    y: Math.sin(angle) * radius + (unitOf(seed, `${id}\0y`) - 0.5) * SPREAD,
  };
}

const rounded = ({ x, y }: Point): Point => ({ x: Math.round(x * 100) / 100, y: Math.round(y * 100) / 100 });

const byId = (a: { id: string }, b: { id: string }) => a.id < b.id ? -1 : 1;

/**
 * The full layout. The order of nodes and links does not matter.
 *
 * @param onProgress Called with the share of the work that is done.
 */
export function arrange(
  { nodes, links, seed, fixed }: LayoutRequest,
  onProgress: (share: number) => void = () => {},
): Positions {
  const pinned = new Map(fixed);
  const sorted = [...nodes].sort(byId);
  const graph = new UndirectedGraph();
  for (const { id } of sorted) graph.addNode(id);
  const ordered = links
    .filter(({ source, target }) => source !== target && graph.hasNode(source) && graph.hasNode(target))
    .map((link) => link.source < link.target ? link : { ...link, source: link.target, target: link.source })
    .sort((a, b) => a.source < b.source || a.source === b.source && a.target < b.target ? -1 : 1);
  for (const { source, target, weight } of ordered) {
    if (!graph.hasEdge(source, target)) graph.addEdge(source, target, { weight });
  }
  const parts = components(sorted, graph);
  let done = 0;
  const placed = parts.map((part) =>
    arrangePart(part, graph, seed, pinned, parts.length === 1, () => {
      done += part.length / ROUNDS;
      onProgress(Math.min(1, done / nodes.length));
    })
  );
  const positions = pack(parts, placed, pinned);
  separate(sorted, positions, new Set(pinned.keys()), seed);
  return new Map([...positions].map(([id, at]) => [id, rounded(at)]));
}

/** Groups of nodes that are linked with each other, the largest first. */
function components(nodes: LayoutNode[], graph: UndirectedGraph): LayoutNode[][] {
  const all = new Map(nodes.map((node) => [node.id, node]));
  const parts: LayoutNode[][] = [];
  const seen = new Set<string>();
  for (const { id } of nodes) {
    if (seen.has(id)) continue;
    seen.add(id);
    const part = [id];
    for (let at = 0; at < part.length; at++) {
      for (const other of graph.neighbors(part[at]!)) {
        if (seen.has(other)) continue;
        seen.add(other);
        part.push(other);
      }
    }
    parts.push(part.map((one) => all.get(one)!).sort(byId));
  }
  return parts.sort((a, b) => b.length - a.length || byId(a[0]!, b[0]!));
}

function arrangePart(
  part: LayoutNode[],
  whole: UndirectedGraph,
  seed: number,
  pinned: ReadonlyMap<string, Point>,
  only: boolean,
  onRound: () => void,
): Positions {
  const graph = new UndirectedGraph();
  const isPinned = part.some(({ id }) => pinned.has(id));
  for (const node of part) {
    const at = pinned.get(node.id) ?? startOf(node, seed);
    graph.addNode(node.id, { ...at, size: node.radius, fixed: pinned.has(node.id) });
  }
  for (const { id } of part) {
    for (const other of whole.neighbors(id).sort()) {
      if (id < other) graph.addEdge(id, other, { weight: whole.getEdgeAttribute(id, other, "weight") });
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    layOut.assign(graph, {
      iterations: ITERATIONS / ROUNDS,
      getEdgeWeight: "weight",
      settings: {
        // Many links meet at a few servers: attraction by degree keeps their neighbours from piling up.
        outboundAttractionDistribution: true,
        edgeWeightInfluence: 0.5,
        gravity: 1.2,
        scalingRatio: 60,
        slowDown: 4,
        barnesHutOptimize: part.length > 300,
      },
    });
    onRound();
  }
  const placed: Record<string, Point> = Object.fromEntries(
    graph.mapNodes((id, { x, y }) => [id, { x, y }]),
  );
  const positions: Positions = new Map();
  const scale = isPinned ? 1 : compactness(part, placed);
  const stretch = isPinned ? 1 : only ? STRETCH : 1.2;
  for (const { id } of part) {
    const { x, y } = placed[id]!;
    positions.set(id, pinned.get(id) ?? { x: x * scale * stretch, y: y * scale });
  }
  separate(part, positions, new Set(pinned.keys()), seed);
  return positions;
}

/** The factor that makes discs large in relation to the map. */
function compactness(nodes: LayoutNode[], placed: Record<string, Point>): number {
  const points = nodes.map(({ id }) => placed[id]!);
  const middle = centre(points) ?? { x: 0, y: 0 };
  const squares = points.reduce((sum, { x, y }) => sum + (x - middle.x) ** 2 + (y - middle.y) ** 2, 0) /
    Math.max(1, points.length);
  const discs = nodes.reduce((sum, { radius }) => sum + radius * radius, 0);
  return squares === 0 ? 1 : Math.sqrt(ROOM * discs / STRETCH / (2 * squares));
}

interface Shelf {
  y: number;
  height: number;
  end: number;
}

/** Puts groups beside each other in rows; a group with a moved node stays where that node is. */
function pack(parts: LayoutNode[][], placed: Positions[], pinned: ReadonlyMap<string, Point>): Positions {
  const result: Positions = new Map();
  const boxes = parts.flatMap((part, at) => {
    const positions = placed[at]!;
    if (part.some(({ id }) => pinned.has(id))) {
      for (const [id, point] of positions) result.set(id, point);
      return [];
    }
    const edge = (sign: 1 | -1, axis: "x" | "y") =>
      Math.max(...part.map(({ id, radius }) => sign * positions.get(id)![axis] + radius)) * sign;
    const [left, right, top, bottom] = [edge(-1, "x"), edge(1, "x"), edge(-1, "y"), edge(1, "y")];
    return [{ positions, left, top, width: right - left + GAP, height: bottom - top + GAP }];
  });
  const area = boxes.reduce((sum, { width, height }) => sum + width * height, 0);
  const wanted = Math.max(Math.sqrt(area * STRETCH) * 1.1, ...boxes.map(({ width }) => width));
  const shelves: Shelf[] = [];
  let bottom = 0;
  const places = boxes.sort((a, b) => b.height - a.height).map(({ positions, left, top, width, height }) => {
    let shelf = shelves.find((one) => one.end + width <= wanted && height <= one.height);
    if (shelf === undefined) {
      shelf = { y: bottom, height, end: 0 };
      shelves.push(shelf);
      bottom += height;
    }
    const shift = { x: shelf.end - left, y: shelf.y + (shelf.height - height) / 2 - top };
    shelf.end += width;
    return { positions, shift };
  });
  for (const { positions, shift } of places) {
    for (const [id, { x, y }] of positions) {
      // The largest group is at the top: the vertical axis of the map points up.
      result.set(id, { x: x + shift.x - wanted / 2, y: bottom / 2 - (y + shift.y) });
    }
  }
  return result;
}

/** Pushes overlapping discs apart; nodes in `still` do not move. */
function separate(nodes: LayoutNode[], positions: Positions, still: ReadonlySet<string>, seed: number): void {
  // Every pair of nodes is compared up to 80 times: in arrays, because look-ups in maps took half of the layout.
  const x = Float64Array.from(nodes, ({ id }) => positions.get(id)!.x);
  const y = Float64Array.from(nodes, ({ id }) => positions.get(id)!.y);
  const radii = Float64Array.from(nodes, ({ radius }) => radius);
  const free = Uint8Array.from(nodes, ({ id }) => Number(!still.has(id)));
  for (let round = 0, moved = true; moved && round < OVERLAP_ROUNDS; round++) {
    moved = false;
    for (let one = 0; one < nodes.length; one++) {
      for (let two = one + 1; two < nodes.length; two++) {
        const least = radii[one]! + radii[two]!;
        let [dx, dy] = [x[two]! - x[one]!, y[two]! - y[one]!];
        if (Math.abs(dx) >= least || Math.abs(dy) >= least) continue;
        const share = free[one]! + free[two]!;
        let distance = Math.hypot(dx, dy);
        if (share === 0 || distance >= least) continue;
        if (distance < 1e-6) {
          const angle = unitOf(seed, nodes[one]!.id + nodes[two]!.id) * 2 * Math.PI;
          [dx, dy, distance] = [Math.cos(angle), Math.sin(angle), 1];
        }
        const push = (least - Math.min(distance, least - 0.01)) / distance / share;
        x[one]! -= dx * push * free[one]!;
        y[one]! -= dy * push * free[one]!;
        x[two]! += dx * push * free[two]!;
        y[two]! += dy * push * free[two]!;
        moved = true;
      }
    }
  }
  nodes.forEach(({ id }, at) => {
    if (free[at] === 1) positions.set(id, { x: x[at]!, y: y[at]! });
  });
}

export interface Newcomer extends LayoutNode {
  /** Nodes it is linked with. */
  neighbours: string[];
  /** The cluster it came out of, or the members it replaces. */
  origins: string[];
}

function centre(points: Point[]): Point | null {
  if (points.length === 0) return null;
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }));
  return { x: sum.x / points.length, y: sum.y / points.length };
}

const isPoint = (point: Point | undefined): point is Point => point !== undefined;

/**
 * Places new nodes without moving any other: where they came from, otherwise at the barycentre of their neighbours. The
 * nearest free place on a spiral around it is taken, so that no node lands on another. `gone` has the positions of nodes
 * that just left the map.
 */
export function placeNewcomers(
  newcomers: readonly Newcomer[],
  placed: ReadonlyMap<string, Point>,
  gone: ReadonlyMap<string, Point>,
  radiusOf: (id: string) => number,
  seed: number,
): Positions {
  const result: Positions = new Map();
  const taken: [Point, number][] = [...placed].map(([id, at]) => [at, radiusOf(id)]);
  const rest = [...newcomers].sort((a, b) => a.id < b.id ? -1 : 1);
  // Nodes with a placed neighbour first: the others may be linked only with newcomers.
  for (let progress = true; progress && rest.length > 0;) {
    progress = false;
    for (const node of [...rest]) {
      const origin = centre(node.origins.map((id) => gone.get(id) ?? placed.get(id)).filter(isPoint));
      const near = node.neighbours.map((id) => placed.get(id) ?? result.get(id)).filter(isPoint);
      const middle = origin ?? centre(near);
      if (middle === null) continue;
      place(node, middle);
      progress = true;
    }
  }
  for (const node of [...rest]) place(node, startOf(node, seed));
  return result;

  function place(node: Newcomer, middle: Point): void {
    rest.splice(rest.indexOf(node), 1);
    const at = rounded(freePlace(node, middle, taken, seed));
    result.set(node.id, at);
    taken.push([at, node.radius]);
  }
}

const MOST_TRIES = 800;

function freePlace(node: Newcomer, middle: Point, taken: [Point, number][], seed: number): Point {
  const turn = unitOf(seed, node.id) * 2 * Math.PI;
  let at = middle;
  for (let step = 1; step < MOST_TRIES; step++) {
    const distance = node.radius * 1.2 * Math.sqrt(step);
    const angle = turn + step * GOLDEN_ANGLE;
    at = { x: middle.x + Math.cos(angle) * distance, y: middle.y + Math.sin(angle) * distance };
    const here = at;
    if (
      taken.every(([other, radius]) => Math.hypot(other.x - here.x, other.y - here.y) >= radius + node.radius)
    ) {
      return at;
    }
  }
  return at;
}
