import { byText, type End, type EndGraph, type EndTotals, severityRank } from "./ends.ts";
import type { GraphLimits } from "./input.ts";

/** Share of the nodes at first sight that clusters may take; the rest is for the most important single nodes. */
const CLUSTER_SHARE = 0.75;
/** What is left to clusters if more ends have urgent incidents than the rest has places for. */
const LEAST_CLUSTER_SHARE = 0.25;
/** From this severity on an end is rather shown itself than a cluster of others. */
const URGENT = severityRank("medium");

interface ChoiceOptions {
  /** `node_id`; null for none. */
  focus: string | null;
  expand: readonly string[];
  limits: GraphLimits;
}

/** Which ends are shown, and as what. */
export interface NodeChoice {
  /** `node_id` of each node. */
  ids: readonly string[];
  /** The node of each end by the end's number: its own, or its cluster's; -1 if it is left out. */
  of: Int32Array;
}

type Part = Pick<EndGraph, "ends" | "links" | "byNo" | "totals" | "clusters">;

/**
 * Decides which ends are shown as nodes of their own.
 *
 * A graph that is small enough at first sight shows all of them. Any other is clustered: one node for each VLAN and
 * each network, the busiest ones if there are too many. Then single nodes are taken out of the clusters by importance
 * as far as there is room at first sight: the focus, ends with open incidents, ends that matched an indicator, the
 * busiest ends. Clusters leave their places to ends whose incidents are of medium severity or higher, down to a quarter. The members of expanded clusters come last, so that an expansion changes no other node. What remains
 * stays in its cluster. Left out are only ends whose cluster found no place.
 */
export function chooseNodes(graph: Part, options: ChoiceOptions): NodeChoice {
  const { ends, links, totals, clusters, byNo } = graph;
  const { focus, limits } = options;
  if (ends.length <= limits.sight && links.length <= limits.links) {
    const of = new Int32Array(byNo.length).fill(-1);
    for (const [node, { no }] of ends.entries()) of[no] = node;
    return { ids: ends.map(({ id }) => id), of };
  }
  const choice = new Choice(graph, options);
  const pinned: End[] = [];
  const others: End[] = [];
  for (const end of ends) (isPinned(end, totals, focus) ? pinned : others).push(end);
  for (const end of pinned.sort(byImportance(totals, focus))) choice.show(end, limits.sight);
  // Each end takes a place, unless it is the last one of its cluster, which happens once for each cluster.
  const places = limits.sight + choice.clusters;
  for (const end of mostImportant(others, totals, places)) choice.show(end, limits.sight);
  const expanded = new Set(options.expand);
  if (expanded.size > 0) {
    const members = ends.filter(({ cluster }) => expanded.has(clusters[cluster]!));
    for (const end of members.sort(byImportance(totals, focus))) choice.show(end, limits.nodes);
  }
  return choice.nodes();
}

/** In order; the first `most` at least. */
function mostImportant(ends: readonly End[], totals: EndTotals, most: number): End[] {
  // Sorts a few candidates at a time, which takes a tenth of sorting all.
  const candidates = new Float64Array(4 * most);
  let size = 0;
  let least = -Infinity;
  for (const { no } of ends) {
    const bytes = totals.bytes.near(no);
    if (bytes < least) continue;
    candidates[size++] = bytes;
    if (size < candidates.length) continue;
    candidates.sort().copyWithin(0, size - most);
    size = most;
    least = candidates[0]!;
  }
  return ends.filter(({ no }) => totals.bytes.near(no) >= least).sort(byImportance(totals, null));
}

/** A cluster under construction. */
interface Cluster {
  no: number;
  severity: number;
  intel: number;
  bytes: number;
  /** Members that are not shown themselves. */
  hidden: number;
}

class Choice {
  /** Clusters that found a place, by their number. */
  readonly #shown: (Cluster | undefined)[] = [];
  readonly #single = new Set<End>();
  /** Clusters that found a place. */
  readonly clusters: number;
  #nodes: number;

  constructor(private readonly graph: Part, { focus, limits: { sight } }: ChoiceOptions) {
    const ids = graph.clusters;
    const urgent =
      graph.ends.filter(({ id, no }) => id === focus || graph.totals.severity[no]! >= URGENT).length;
    const places = Math.max(sight * LEAST_CLUSTER_SHARE, Math.min(sight * CLUSTER_SHARE, sight - urgent));
    const clusters = clustersOf(graph).sort((a, b) =>
      b.severity - a.severity || b.intel - a.intel || b.bytes - a.bytes || byText(ids[a.no]!, ids[b.no]!)
    ).slice(0, Math.floor(places));
    for (const cluster of clusters) this.#shown[cluster.no] = cluster;
    this.#nodes = this.clusters = clusters.length;
  }

  /** Shows an end as a node of its own unless there are `most` nodes. */
  show(end: End, most: number): void {
    if (this.#single.has(end)) return;
    const cluster = this.#shown[end.cluster];
    // The last member takes the place of the cluster.
    const cost = cluster?.hidden === 1 ? 0 : 1;
    if (this.#nodes + cost > most) return;
    this.#nodes += cost;
    this.#single.add(end);
    if (cluster !== undefined) cluster.hidden--;
  }

  nodes(): NodeChoice {
    const { ends, byNo, clusters } = this.graph;
    const ids: string[] = [];
    const of = new Int32Array(byNo.length).fill(-1);
    const nodeOfCluster = new Int32Array(clusters.length).fill(-1);
    for (const end of ends) {
      const hidden = this.#shown[end.cluster]?.hidden;
      // A cluster of one is that one.
      if (this.#single.has(end) || hidden === 1) of[end.no] = ids.push(end.id) - 1;
      else if (hidden !== undefined) {
        if (nodeOfCluster[end.cluster]! < 0) {
          nodeOfCluster[end.cluster] = ids.push(clusters[end.cluster]!) - 1;
        }
        of[end.no] = nodeOfCluster[end.cluster]!;
      }
    }
    return { ids, of };
  }
}

function clustersOf({ ends, totals }: Part): Cluster[] {
  const clusters: Cluster[] = [];
  const byNo: (Cluster | undefined)[] = [];
  for (const { no, cluster: clusterNo } of ends) {
    let cluster = byNo[clusterNo];
    if (cluster === undefined) {
      byNo[clusterNo] = cluster = { no: clusterNo, severity: -1, intel: 0, bytes: 0, hidden: 0 };
      clusters.push(cluster);
    }
    cluster.severity = Math.max(cluster.severity, totals.severity[no]!);
    cluster.intel |= totals.intel[no]!;
    cluster.bytes += totals.bytes.near(no);
    cluster.hidden++;
  }
  return clusters;
}

function isPinned({ id, no }: End, { severity, intel }: EndTotals, focus: string | null): boolean {
  return severity[no]! >= 0 || intel[no] === 1 || id === focus;
}

/** The most important first. */
function byImportance(
  { severity, intel, bytes, flows }: EndTotals,
  focus: string | null,
): (a: End, b: End) => number {
  const isFocus = ({ id }: End) => Number(id === focus);
  return (a, b) =>
    isFocus(b) - isFocus(a) || severity[b.no]! - severity[a.no]! || intel[b.no]! - intel[a.no]! ||
    compareCounts(bytes.get(b.no), bytes.get(a.no)) || flows[b.no]! - flows[a.no]! || byText(a.id, b.id);
}

export function compareCounts(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
