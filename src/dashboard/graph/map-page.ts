// What the page derives from the state: texts and matches.
import type { GraphNode } from "../../contract/graph/graph.ts";
import { formatExact, plural } from "../ui/format.ts";
import type { GraphState } from "./graph-model.ts";
import { isInside } from "./graph-style.ts";

/** What the map leaves out, in words; null if nothing. */
export function omittedText({ truncated, omitted }: GraphState): string | null {
  if (!truncated) return null;
  const parts = [
    omitted.nodes > 0 ? plural(omitted.nodes, "node") : "",
    omitted.links > 0 ? plural(omitted.links, "connection") : "",
    omitted.arcs > 0 ? plural(omitted.arcs, "arc") : "",
  ].filter((part) => part !== "");
  const what = parts.length === 0 ? "Some parts are" : `${parts.join(" and ")} left out:`;
  return parts.length === 0
    ? `${what} left out: those with the least traffic and without incidents.`
    : `${what} those with the least traffic and without incidents.`;
}

/** How many connections of an incident have lost their flows, in words; null if none. */
export function unretainedText({ links }: Pick<GraphState, "links">): string | null {
  let count = 0;
  for (const { flows } of links.values()) if (flows === 0) count++;
  if (count === 0) return null;
  return `The flows of ${plural(count, "connection")} are no longer retained, so ${
    count === 1 ? "its" : "their"
  } traffic is unknown.`;
}

export function summaryText({ scene, nodes, links, arcs }: GraphState): string {
  if (scene === "globe") return `${plural(arcs.size, "destination")} with a known place`;
  let [devices, addresses, groups, members] = [0, 0, 0, 0];
  for (const { kind, member_count } of nodes.values()) {
    if (kind === "device") devices++;
    else if (kind === "external_endpoint") addresses++;
    else {
      // Of addresses, which need not be devices: a scan also tries unused ones.
      groups++;
      members += member_count ?? 0;
    }
  }
  const inGroups = groups === 0
    ? ""
    : `, ${plural(groups, "group")} of ${plural(members, "address", "addresses")}`;
  return `${plural(devices, "device")}, ${
    plural(addresses, "external address", "external addresses")
  }${inGroups}, ${formatExact(links.size)} ${links.size === 1 ? "connection" : "connections"}`;
}

/** How many external addresses the globe cannot show, in words; null if none. */
export function placelessText(
  { nodes, arcs, truncated }: Pick<GraphState, "nodes" | "arcs" | "truncated">,
): string | null {
  // What was left out may have places.
  if (truncated) return null;
  let all = 0;
  for (const node of nodes.values()) if (!isInside(node)) all += node.member_count ?? 1;
  let placed = 0;
  for (const { member_count } of arcs.values()) placed += member_count;
  const rest = all - placed;
  if (rest <= 0) return null;
  return `${formatExact(rest)} of ${plural(all, "external address", "external addresses")} ${
    rest === 1 ? "has" : "have"
  } no known place and ${rest === 1 ? "is" : "are"} not on the globe.`;
}

const LEAST_LETTERS = 2;

/** Nodes whose name, address, network or country contains the text. */
export function findNodes(nodes: Iterable<GraphNode>, text: string): string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted.length < LEAST_LETTERS) return [];
  const found: string[] = [];
  for (const node of nodes) {
    const texts = [node.label, node.ip, node.asn === null ? null : `as${node.asn}`, node.country];
    if (texts.some((one) => one?.toLowerCase().includes(wanted))) found.push(node.node_id);
  }
  return found;
}
