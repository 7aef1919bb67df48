import { z } from "@hono/zod-openapi";
import { single } from "../request/common.ts";
import { read, type Route } from "../request/route.ts";
import {
  GraphDelta,
  GraphHeartbeat,
  GraphResync,
  GraphSnapshot,
  MAX_GRAPH_ARCS,
  MAX_GRAPH_LINKS,
  MAX_GRAPH_NODES,
} from "./graph.ts";
import { GraphQuery } from "./query.ts";
import { GRAPH_STREAM_TEXT, GraphStreamQuery } from "./stream.ts";

const GRAPH_TEXT = `
At most ${MAX_GRAPH_NODES} nodes, ${MAX_GRAPH_LINKS} links and ${MAX_GRAPH_ARCS} arcs, and about 200 nodes while no cluster
is expanded. Devices are clustered by VLAN and external addresses by network (ASN); then single nodes are taken out of the
clusters: the focus, devices and addresses with open incidents, those that matched a threat intelligence indicator, and the
busiest ones. What a cluster contains is not left out: \`truncated\` and \`omitted\` count only what is in no node.

A flow counts in the minute in which it was first observed, so the window covers whole minutes: \`window\` states it.
Bytes of links add up to the bytes of the flows; what the members of one node exchange counts in the node only.`
  .trim();

export const GRAPH_ROUTES = {
  getGraph: {
    ...read,
    path: "/api/v1/graph",
    summary: "Get the graph of devices and external addresses; time window at most 24 hours",
    description: GRAPH_TEXT,
    tag: "Graph",
    query: GraphQuery,
    queryNamesObject: "focus_device_id",
    response: single(GraphSnapshot),
  },
  streamGraph: {
    ...read,
    path: "/api/v1/graph/stream",
    summary: "Follow the graph: changes of a snapshot as server-sent events",
    description: GRAPH_STREAM_TEXT,
    tag: "Graph",
    query: GraphStreamQuery,
    stream: {
      delta: "GraphDelta",
      heartbeat: "GraphHeartbeat",
      resync_required: "GraphResync",
    },
    response: z.union([z.string(), GraphDelta, GraphHeartbeat, GraphResync]).openapi({
      description: "The text of the stream; the objects are the data of its events (`x-events`).",
    }),
  },
} as const satisfies Record<string, Route>;
