import { z } from "@hono/zod-openapi";
import { Count, Id, Ip, Timestamp } from "../request/common.ts";
import { SEVERITIES } from "../record/kinds.ts";

export const MAX_GRAPH_NODES = 500;
export const MAX_GRAPH_LINKS = 2000;
export const MAX_GRAPH_ARCS = 300;
export const MAX_LINK_INCIDENTS = 5;

export const GRAPH_SCENES = ["network", "globe"] as const;
export type GraphScene = (typeof GRAPH_SCENES)[number];

const NODE_KINDS = ["device", "external_endpoint", "vlan_cluster", "asn_cluster"] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

const Coordinates = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});

/** What is known of the traffic of a node, link or arc in the window. */
const traffic = {
  bytes: Count.openapi({ description: "Bytes in both directions." }),
  flows: Count,
  severity: z.enum(SEVERITIES).nullable().openapi({
    description: "The highest severity of its open incidents; null if there are none.",
  }),
  intel: z.boolean().openapi({ description: "Whether a threat intelligence indicator was matched." }),
  first_seen: Timestamp.openapi({ description: "First traffic in the window." }),
  last_seen: Timestamp,
};

export const GraphNode = z.object({
  node_id: z.string().openapi({
    description:
      "Stable across windows and restarts: `device:<device_id>`, `ip:<address>`, `vlan:<vlan_id>` or `asn:<number>`; " +
      "`vlan:none` and `asn:none` group what belongs to no known VLAN or network.",
    example: "ip:192.0.2.7",
  }),
  kind: z.enum(NODE_KINDS),
  label: z.string(),
  member_count: z.number().int().positive().nullable().openapi({
    description: "Devices or addresses in a cluster; null for a single node.",
  }),
  device_id: Id.nullable(),
  device_type: z.string().nullable().openapi({ description: "As of a device; it may be any text." }),
  ip: Ip.nullable().openapi({
    description: "The address of an external endpoint, or a device's latest one.",
  }),
  vlan_id: z.number().int().nullable(),
  asn: z.number().int().nullable(),
  country: z.string().nullable().openapi({ description: "ISO 3166-1 alpha-2." }),
  coordinates: Coordinates.nullable().openapi({
    description: "From a GeoIP database only; devices have none of their own.",
  }),
  incidents: z.number().int().nonnegative().openapi({ description: "Number of open incidents." }),
  ...traffic,
}).openapi("GraphNode");
export type GraphNode = z.infer<typeof GraphNode>;

export const GraphLink = z.object({
  link_id: z.string().openapi({ description: "`<source>|<target>`, stable like the identifiers of nodes." }),
  source: z.string().openapi({
    description: "`node_id` of one end; the lesser identifier in code point order.",
  }),
  target: z.string(),
  bytes_out: Count.openapi({ description: "Bytes from `source` to `target`." }),
  bytes_in: Count.openapi({ description: "Bytes from `target` to `source`." }),
  packets: Count,
  services: z.array(z.string()).openapi({ description: "Up to five, the most used first." }),
  incidents: z.number().int().nonnegative().openapi({
    description: "Number of open incidents with evidence that the two ends exchanged.",
  }),
  incident_ids: z.array(Id).max(MAX_LINK_INCIDENTS).openapi({
    description: `Up to ${MAX_LINK_INCIDENTS} of these incidents, the highest scores first.`,
  }),
  ...traffic,
}).openapi("GraphLink");
export type GraphLink = z.infer<typeof GraphLink>;

export const GraphArc = z.object({
  arc_id: z.string().openapi({
    description: "`arc:<asn or none>:<country or none>:<place>`: one arc per network and place.",
  }),
  source: Coordinates.openapi({ description: "The site's configured home coordinates." }),
  target: Coordinates,
  label: z.string().openapi({ description: "Network and country of the target." }),
  country: z.string().nullable(),
  asn: z.number().int().nullable(),
  member_count: z.number().int().positive().openapi({ description: "Addresses at the target." }),
  ...traffic,
}).openapi("GraphArc");
export type GraphArc = z.infer<typeof GraphArc>;

const GraphWindow = z.object({ from: Timestamp, to: Timestamp });

export const GraphSnapshot = z.object({
  scene: z.enum(GRAPH_SCENES),
  window: GraphWindow.openapi({
    description: "The window that the numbers cover: half-open, aligned outwards to whole minutes.",
  }),
  focus_node_id: z.string().nullable(),
  layout_seed: z.number().int().nonnegative().openapi({
    description: "Seed of the layout: the same for every load of a tenant's map, so that the map is stable.",
  }),
  watermark: Timestamp.openapi({ description: "Records committed up to this server time are included." }),
  cursor: z.string().nullable().openapi({
    description:
      "Where the delta stream continues this snapshot; null if the window does not end now, or the graph is that of an " +
      "incident, so that nothing can follow.",
  }),
  truncated: z.boolean().openapi({ description: "Whether nodes, links or arcs were left out." }),
  omitted: z.object({
    nodes: z.number().int().nonnegative(),
    links: z.number().int().nonnegative(),
    arcs: z.number().int().nonnegative(),
  }).openapi({ description: "How many were left out; clustered ones are not." }),
  nodes: z.array(GraphNode).max(MAX_GRAPH_NODES),
  links: z.array(GraphLink).max(MAX_GRAPH_LINKS),
  arcs: z.array(GraphArc).max(MAX_GRAPH_ARCS),
}).openapi("GraphSnapshot");
export type GraphSnapshot = z.infer<typeof GraphSnapshot>;

/** Changes of a snapshot: applied in order they turn one snapshot into a later one. */
export const GraphDelta = z.object({
  cursor: z.string().openapi({
    description: "The `id` of the event. In text order, the cursors of a stream ascend.",
  }),
  watermark: Timestamp,
  window: GraphWindow,
  complete: z.boolean().openapi({
    description:
      "Whether the delta has the whole graph: nodes, links and arcs that it does not upsert are no longer part of it.",
  }),
  nodes: z.object({ upserted: z.array(GraphNode), removed: z.array(z.string()) }).openapi({
    description: "Removals may name what the client does not have.",
  }),
  links: z.object({ upserted: z.array(GraphLink), removed: z.array(z.string()) }),
  arcs: z.object({ upserted: z.array(GraphArc), removed: z.array(z.string()) }),
  truncated: z.boolean(),
  omitted: GraphSnapshot.shape.omitted,
}).openapi("GraphDelta");
export type GraphDelta = z.infer<typeof GraphDelta>;

export const GraphHeartbeat = z.object({ cursor: z.string(), watermark: Timestamp }).openapi(
  "GraphHeartbeat",
);
export type GraphHeartbeat = z.infer<typeof GraphHeartbeat>;

const RESYNC_REASONS = ["cursor_too_old", "configuration_changed"] as const;

export const GraphResync = z.object({
  reason: z.enum(RESYNC_REASONS).openapi({
    description:
      "`cursor_too_old`: the cursor is older than 15 minutes. `configuration_changed`: the device in focus was merged into another.",
  }),
}).openapi("GraphResync");
export type GraphResync = z.infer<typeof GraphResync>;
