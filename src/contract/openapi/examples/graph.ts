import type { GraphDelta, GraphSnapshot } from "../../graph/graph.ts";
import * as ids from "./ids.ts";

const TIMES = { first_seen: "2026-01-31T07:11:42.000Z", last_seen: "2026-01-31T07:11:43.000Z" };
const DEVICE_NODE = `device:${ids.DEVICE_ID}`;
const PLACE = { latitude: 44.43, longitude: 26.1 };
const traffic = { bytes: 4500, flows: 1, severity: "medium", intel: true, ...TIMES } as const;

export const GRAPH: GraphSnapshot = {
  scene: "globe",
  window: { from: "2026-01-31T07:01:00.000Z", to: "2026-01-31T07:16:00.000Z" },
  focus_node_id: null,
  layout_seed: 2_871_906_305,
  watermark: "2026-01-31T07:15:20.000Z",
  cursor: ids.NEXT_CURSOR,
  truncated: false,
  omitted: { nodes: 0, links: 0, arcs: 0 },
  nodes: [
    {
      node_id: DEVICE_NODE,
      kind: "device",
      label: "front-desk",
      member_count: null,
      device_id: ids.DEVICE_ID,
      device_type: "workstation",
      ip: "10.0.0.5",
      vlan_id: 20,
      asn: null,
      country: null,
      coordinates: null,
      incidents: 1,
      ...traffic,
    },
    {
      node_id: "asn:64500",
      kind: "asn_cluster",
      label: "Example Hosting",
      member_count: 3,
      device_id: null,
      device_type: null,
      ip: null,
      vlan_id: null,
      asn: 64500,
      country: "RO",
      coordinates: null,
      incidents: 1,
      ...traffic,
    },
  ],
  links: [{
    link_id: `asn:64500|${DEVICE_NODE}`,
    source: "asn:64500",
    target: DEVICE_NODE,
    bytes_out: 4000,
    bytes_in: 500,
    packets: 17,
    services: ["ssl"],
    incidents: 1,
    incident_ids: [ids.INCIDENT_ID],
    ...traffic,
  }],
  arcs: [{
    arc_id: "arc:64500:RO:44.43,26.1",
    source: { latitude: 52.52, longitude: 13.405 },
    target: PLACE,
    label: "Example Hosting, RO",
    country: "RO",
    asn: 64500,
    member_count: 3,
    ...traffic,
  }],
};

const [DEVICE] = GRAPH.nodes;
const DELTA: GraphDelta = {
  cursor: ids.NEXT_CURSOR,
  watermark: "2026-01-31T07:15:21.000Z",
  window: GRAPH.window,
  complete: false,
  nodes: { upserted: [{ ...DEVICE!, bytes: 9000, flows: 2 }], removed: ["ip:192.0.2.7"] },
  links: { upserted: [], removed: [`${DEVICE_NODE}|ip:192.0.2.7`] },
  arcs: { upserted: [], removed: [] },
  truncated: false,
  omitted: { nodes: 0, links: 0, arcs: 0 },
};

/** The first event of a stream. */
export const GRAPH_STREAM = `event: delta\nid: ${DELTA.cursor}\ndata: ${JSON.stringify(DELTA)}\n\n`;
