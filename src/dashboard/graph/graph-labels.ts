// Names of what the map shows, and the filters that find it elsewhere.
import type { GraphArc, GraphLink, GraphNode, NodeKind } from "../../contract/graph/graph.ts";
import { formatBytes, formatLabel, plural } from "../ui/format.ts";
import { countryName } from "./graph-style.ts";

export const KIND_NAMES: Record<NodeKind, string> = {
  device: "Device",
  external_endpoint: "External",
  vlan_cluster: "VLAN",
  asn_cluster: "Network",
};

/** A line below the name: where the node belongs. */
export function placeOf(node: GraphNode, vlans: ReadonlyMap<number, string>): string {
  const parts: string[] = [];
  if (node.kind === "device" && node.ip !== null && node.ip !== node.label) parts.push(node.ip);
  if (node.vlan_id !== null && node.kind === "device") {
    parts.push([`VLAN ${node.vlan_id}`, vlans.get(node.vlan_id)].filter(Boolean).join(" "));
  }
  if (node.member_count !== null) {
    parts.push(
      plural(
        node.member_count,
        node.kind === "vlan_cluster" ? "device" : "address",
        node.kind === "vlan_cluster" ? "devices" : "addresses",
      ),
    );
  }
  if (node.asn !== null && node.kind === "external_endpoint") parts.push(`AS${node.asn}`);
  if (node.country !== null) parts.push(countryName(node.country));
  return parts.join(", ");
}

/** One sentence for screen readers and titles. */
export function describeNode(node: GraphNode, links: number, vlans: ReadonlyMap<number, string>): string {
  const parts = [
    `${KIND_NAMES[node.kind]} ${node.label}`,
    placeOf(node, vlans),
    `${formatBytes(node.bytes)} in ${plural(Number(node.flows), "flow")}`,
    plural(links, "connection"),
    node.incidents > 0
      ? `${plural(node.incidents, "open incident")}${
        node.severity === null ? "" : `, highest severity ${formatLabel(node.severity).toLowerCase()}`
      }`
      : "",
    node.intel ? "matches threat intelligence" : "",
  ];
  return `${parts.filter((part) => part !== "").join("; ")}.`;
}

/** A filter in the text form for the flows of a node; null if no field selects them. */
export function filterOfNode(node: GraphNode): string | null {
  if (node.kind === "device") return node.device_id === null ? null : `device.id:${node.device_id}`;
  if (node.kind === "external_endpoint") return node.ip === null ? null : `ip:${node.ip}`;
  if (node.kind === "vlan_cluster") return node.vlan_id === null ? null : `device.vlan:${node.vlan_id}`;
  return node.asn === null ? null : `asn:${node.asn}`;
}

/** The flows between two nodes; null if one of them has no filter. */
export function filterOfLink(link: GraphLink, nodes: ReadonlyMap<string, GraphNode>): string | null {
  const ends = [link.source, link.target].map((id) => nodes.get(id));
  const parts = ends.map((node) => node === undefined ? null : filterOfNode(node));
  if (parts.some((part) => part === null)) return null;
  return parts.join(" ");
}

export function nodeLabel(id: string, nodes: ReadonlyMap<string, GraphNode>): string {
  return nodes.get(id)?.label ?? id.replace(/^[a-z]+:/, "");
}

/** The network and country that an arc leads to. */
export function arcName({ label, asn, country }: GraphArc): string {
  return asn === null && country !== null ? `${countryName(country)}, unknown network` : label;
}
