import { MAX_LINK_INCIDENTS } from "../../contract/graph/graph.ts";
import type { Count } from "../record/observation.ts";
import { buildArcs } from "./arcs.ts";
import { chooseNodes, compareCounts, type NodeChoice } from "./choice.ts";
import { Counts } from "./counts.ts";
import {
  byText,
  type End,
  type EndGraph,
  endGraph,
  type EndInput,
  type EndTotals,
  type LinkConcern,
  severityOfRank,
} from "./ends.ts";
import type { Graph, Link, Node } from "./graph.ts";
import { GRAPH_LIMITS, type GraphInput } from "./input.ts";
import { around } from "./scope.ts";
import { coordinatesOf, networkLabel, timesOf, type Together, together } from "./shown.ts";
import { minus, plus, type Traffic } from "./traffic.ts";

/** Services shown of a link. */
const MAX_SERVICES = 5;

/**
 * Builds the graph of the traffic in a window. The result depends on nothing but the input, and not on the order of
 * its pairs.
 */
export function buildGraph(input: EndInput): Graph {
  const { limits = GRAPH_LIMITS } = input;
  const focus = input.focus === null ? null : `device:${input.focus}`;
  const whole = endGraph(input);
  const part = focus === null ? whole : around(whole, focus, input.hops);
  const choice = chooseNodes(part, { focus, expand: input.expand, limits });
  const nodes = buildNodes(input, part, choice);
  const { links, omitted } = buildLinks(input, part, choice, focus, limits.links);
  const { arcs, omitted: omittedArcs } = input.scene === "globe"
    ? buildArcs(input, part, limits.arcs)
    : { arcs: [], omitted: 0 };
  return {
    focusNodeId: focus,
    nodes,
    links,
    arcs,
    omitted: {
      nodes: part.ends.filter(({ no }) => choice.of[no]! < 0).length,
      links: omitted,
      arcs: omittedArcs,
    },
  };
}

function buildNodes(input: GraphInput, graph: EndGraph, { ids, of }: NodeChoice): Node[] {
  const { ends, links, table, low, high, totals } = graph;
  // What two members of a cluster exchange is counted by both of them.
  const within = { bytes: new Counts(ids.length), flows: new Float64Array(ids.length) };
  for (const link of links) {
    const node = of[low[link]!]!;
    if (node < 0 || node !== of[high[link]!]) continue;
    within.bytes.addFrom(node, table.bytesUp, link);
    within.bytes.addFrom(node, table.bytesDown, link);
    within.flows[node]! += table.flows[link]!;
  }
  const shown = ids.map((): End[] => []);
  for (const end of ends) {
    const node = of[end.no]!;
    if (node >= 0) shown[node]!.push(end);
  }
  return shown.map((members, node) => {
    const id = ids[node]!;
    if (members.length === 1 && members[0]!.id === id) return singleNode(input, members[0]!, totals);
    const sum = together(members, totals);
    const bytes = minus(sum.bytes, within.bytes.get(node));
    const flows = sum.flows - within.flows[node]!;
    return clusterNode(input, id, members, totals, { ...sum, bytes, flows });
  }).sort((a, b) => byText(a.nodeId, b.nodeId));
}

function singleNode(input: GraphInput, end: End, totals: EndTotals): Node {
  const { device, ip, place, no } = end;
  const { bytes, flows, rank, intel, ...times } = together([end], totals);
  return {
    nodeId: end.id,
    kind: device === null ? "external_endpoint" : "device",
    label: device?.name ?? ip!,
    memberCount: null,
    deviceId: device?.deviceId ?? null,
    deviceType: device?.type ?? null,
    ip: device?.ip ?? ip,
    vlanId: end.vlanId,
    asn: place?.asn ?? null,
    country: place?.country ?? null,
    coordinates: coordinatesOf(place),
    incidents: totals.incidents(no).length,
    bytes,
    flows,
    severity: severityOfRank(rank),
    intel,
    ...timesOf(input, times),
  };
}

function clusterNode(
  input: GraphInput,
  id: string,
  members: readonly End[],
  totals: EndTotals,
  { bytes, flows, rank, intel, ...times }: Together,
): Node {
  const isVlan = id.startsWith("vlan:");
  const { vlanId, place } = members[0]!;
  const countries = new Set<string | null>();
  const incidents = new Set<number>();
  for (const end of members) {
    countries.add(end.place?.country ?? null);
    for (const incident of totals.incidents(end.no)) incidents.add(incident);
  }
  return {
    nodeId: id,
    kind: isVlan ? "vlan_cluster" : "asn_cluster",
    label: isVlan ? vlanLabel(input, vlanId) : networkLabel(members),
    memberCount: members.length,
    deviceId: null,
    deviceType: null,
    ip: null,
    vlanId: isVlan ? vlanId : null,
    asn: isVlan ? null : place?.asn ?? null,
    country: countries.size === 1 ? [...countries][0]! : null,
    coordinates: null,
    incidents: incidents.size,
    bytes,
    flows,
    severity: severityOfRank(rank),
    intel,
    ...timesOf(input, times),
  };
}

function vlanLabel({ site }: GraphInput, vlanId: number | null): string {
  if (vlanId === null) return "No VLAN";
  return site.vlans.find(({ vlan_id }) => vlan_id === vlanId)?.name ?? `VLAN ${vlanId}`;
}

/** A link under construction. */
interface OpenLink extends Traffic {
  source: string;
  target: string;
  services: Map<number, number>;
  severity: number;
  /** Indices in the input. */
  incidents: Set<number>;
  intel: boolean;
}

const NO_CONCERN: LinkConcern = { rank: -1, incidents: [] };

function buildLinks(
  input: GraphInput,
  graph: EndGraph,
  choice: NodeChoice,
  focus: string | null,
  most: number,
): { links: Link[]; omitted: number } {
  const { links, table, concerns } = graph;
  const open = new OpenLinks(graph, choice);
  for (const link of links) open.add(link, concerns.get(link) ?? NO_CONCERN);
  open.addServices();
  const touches = ({ source, target }: OpenLink) => Number(source === focus || target === focus);
  const order = open.links.toSorted((a, b) =>
    b.severity - a.severity || Number(b.intel) - Number(a.intel) || touches(b) - touches(a) ||
    compareCounts(bytesOf(b), bytesOf(a)) || b.flows - a.flows || byText(linkId(a), linkId(b))
  );
  const shown = order.slice(0, most).map((link) => toLink(input, link, table.services.names))
    .sort((a, b) => byText(a.linkId, b.linkId));
  return { links: shown, omitted: open.omitted + order.length - shown.length };
}

/** Adds up the links of ends between their nodes. */
class OpenLinks {
  readonly links: OpenLink[] = [];
  /** Links of ends that are not shown. */
  omitted = 0;
  /** The link of each pair of nodes plus one; 0 for none. */
  readonly #known: Int32Array;
  /** The same for each link of ends. */
  readonly #linkOf: Int32Array;

  constructor(private readonly graph: EndGraph, private readonly choice: NodeChoice) {
    this.#known = new Int32Array(choice.ids.length ** 2);
    this.#linkOf = new Int32Array(graph.table.size);
  }

  add(from: number, { rank, incidents }: LinkConcern): void {
    const { graph: { table, low, high }, choice: { ids, of } } = this;
    const a = of[low[from]!]!;
    const b = of[high[from]!]!;
    if (a < 0 || b < 0) this.omitted++;
    if (a < 0 || b < 0 || a === b) return;
    const turned = ids[a]! > ids[b]!;
    const at = this.#open(turned ? b : a, turned ? a : b);
    this.#linkOf[from] = at + 1;
    const link = this.links[at]!;
    link.bytesUp = plus(link.bytesUp, (turned ? table.bytesDown : table.bytesUp).get(from));
    link.bytesDown = plus(link.bytesDown, (turned ? table.bytesUp : table.bytesDown).get(from));
    link.packets = plus(link.packets, table.packets.get(from));
    link.flows += table.flows[from]!;
    link.firstSeen = Math.min(link.firstSeen, table.firstSeen[from]!);
    link.lastSeen = Math.max(link.lastSeen, table.lastSeen[from]!);
    link.intel ||= table.intel[from] === 1;
    link.severity = Math.max(link.severity, rank);
    for (const incident of incidents) link.incidents.add(incident);
  }

  /** Adds the services of the links that were added. */
  addServices(): void {
    const { size, entry, service, flows } = this.graph.table.services;
    for (let row = 0; row < size; row++) {
      const at = this.#linkOf[entry[row]!]! - 1;
      if (at < 0) continue;
      const { services } = this.links[at]!;
      services.set(service[row]!, (services.get(service[row]!) ?? 0) + flows[row]!);
    }
  }

  #open(source: number, target: number): number {
    const { ids } = this.choice;
    const key = source * ids.length + target;
    const known = this.#known[key]! - 1;
    if (known >= 0) return known;
    const none = { bytesUp: 0, bytesDown: 0, packets: 0, flows: 0, intel: false };
    const times = { firstSeen: Infinity, lastSeen: -Infinity };
    const ends = { source: ids[source]!, target: ids[target]! };
    this.links.push({ ...ends, services: new Map(), incidents: new Set(), severity: -1, ...none, ...times });
    return (this.#known[key] = this.links.length) - 1;
  }
}

function toLink(input: GraphInput, link: OpenLink, serviceNames: readonly string[]): Link {
  const services = [...link.services].filter(([, flows]) => flows > 0)
    .map(([service, flows]) => [serviceNames[service]!, flows] as const)
    .sort(([a, x], [b, y]) => y - x || byText(a, b));
  return {
    linkId: linkId(link),
    source: link.source,
    target: link.target,
    bytesOut: link.bytesUp,
    bytesIn: link.bytesDown,
    packets: link.packets,
    services: services.slice(0, MAX_SERVICES).map(([service]) => service),
    incidents: link.incidents.size,
    incidentIds: [...link.incidents].sort((a, b) => a - b).slice(0, MAX_LINK_INCIDENTS)
      .map((incident) => input.incidents[incident]!.incidentId),
    bytes: bytesOf(link),
    flows: link.flows,
    severity: severityOfRank(link.severity),
    intel: link.intel,
    ...timesOf(input, link),
  };
}

function linkId({ source, target }: Pick<Link, "source" | "target">): string {
  return `${source}|${target}`;
}

function bytesOf({ bytesUp, bytesDown }: Pick<Traffic, "bytesUp" | "bytesDown">): Count {
  return plus(bytesUp, bytesDown);
}
