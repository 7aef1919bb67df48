import type { GraphArc, GraphLink, GraphNode } from "../../contract/graph/graph.ts";
import type { Arc, Graph, Link, Node } from "../../domain/graph/graph.ts";
import { formatMillis } from "../../kit/time.ts";

/** The contents of a graph as the API shows them. */
export function graphView({ nodes, links, arcs }: Pick<Graph, "nodes" | "links" | "arcs">) {
  return { nodes: nodes.map(nodeView), links: links.map(linkView), arcs: arcs.map(arcView) };
}

function nodeView(node: Node): GraphNode {
  return {
    node_id: node.nodeId,
    kind: node.kind,
    label: node.label,
    member_count: node.memberCount,
    device_id: node.deviceId,
    device_type: node.deviceType,
    ip: node.ip,
    vlan_id: node.vlanId,
    asn: node.asn,
    country: node.country,
    coordinates: node.coordinates,
    incidents: node.incidents,
    ...trafficView(node),
  };
}

function linkView(link: Link): GraphLink {
  return {
    link_id: link.linkId,
    source: link.source,
    target: link.target,
    bytes_out: link.bytesOut,
    bytes_in: link.bytesIn,
    packets: link.packets,
    services: link.services,
    incidents: link.incidents,
    incident_ids: link.incidentIds,
    ...trafficView(link),
  };
}

function arcView(arc: Arc): GraphArc {
  return {
    arc_id: arc.arcId,
    source: arc.source,
    target: arc.target,
    label: arc.label,
    country: arc.country,
    asn: arc.asn,
    member_count: arc.memberCount,
    ...trafficView(arc),
  };
}

function trafficView(seen: Pick<Node, "bytes" | "flows" | "severity" | "intel" | "firstSeen" | "lastSeen">) {
  return {
    bytes: seen.bytes,
    flows: seen.flows,
    severity: seen.severity,
    intel: seen.intel,
    first_seen: formatMillis(seen.firstSeen),
    last_seen: formatMillis(seen.lastSeen),
  };
}
