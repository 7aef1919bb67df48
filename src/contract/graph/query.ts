import { z } from "@hono/zod-openapi";
import { DEVICE_ID, INCIDENT_ID } from "../openapi/examples/ids.ts";
import { PAIR_TRAFFIC_FIELDS } from "../filter/pair-fields.ts";
import { anyOf, FilterId, WindowQuery } from "../request/common.ts";
import { GRAPH_SCENES } from "./graph.ts";

/** Links from the focus at most. */
const MAX_HOPS = 3;
const HOPS = `expected an integer from 1 to ${MAX_HOPS}`;
/** Clusters that may be expanded at once. */
const MAX_EXPANDED = 50;

/** Characters of a filter: it is part of every cursor. */
const MAX_FILTER = 1000;

/** The filter of a graph. */
export const GraphFilter = {
  filter: z.string().trim().min(1).max(MAX_FILTER).optional().openapi({
    description:
      `Only the traffic that meets this filter in the search language (see Search), at most ${MAX_FILTER} characters. ` +
      `Of the traffic itself it may name ${
        PAIR_TRAFFIC_FIELDS.map((name) => `\`${name}\``).join(", ")
      }, and any field ` +
      "of devices (of either end) and of incidents (that the traffic is evidence of). Any other field is refused.",
    example: "service:tls country!=DE -tag:printer",
  }),
};

export const GraphQuery = WindowQuery.extend({
  scene: z.enum(GRAPH_SCENES).default("network").openapi({
    description: "`globe` adds the arcs from the site's home to the places of external addresses.",
    example: "network",
  }),
  focus_device_id: z.string().min(1).optional().openapi({
    description: "Only what is at most `hops` links away from this device.",
    example: DEVICE_ID,
  }),
  hops: z.string().regex(/^\d$/, HOPS).transform(Number)
    .pipe(z.number().int().min(1, HOPS).max(MAX_HOPS, HOPS)).optional()
    .openapi({
      type: "integer",
      minimum: 1,
      maximum: MAX_HOPS,
      default: 1,
      description: "Links from `focus_device_id`; without it there is no limit.",
      example: 2,
    }),
  ...GraphFilter,
  incident_id: FilterId.optional().openapi({
    description:
      "Only the flows with evidence of this incident. Without `from` and `to` the window is that of its evidence, however " +
      "long ago and however long; then a link whose flows are no longer retained has none.",
    example: INCIDENT_ID,
  }),
  expand: anyOf(z.string().regex(/^(?:vlan|asn):(?:none|\d{1,10})$/, "expected the node_id of a cluster"))
    .refine(
      (ids) => ids === undefined || ids.length <= MAX_EXPANDED,
      `expected at most ${MAX_EXPANDED} clusters`,
    )
    .openapi({
      description:
        `The \`node_id\` of a cluster whose members are shown as nodes of their own, the most important ones as far as there is room; may be repeated up to ${MAX_EXPANDED} times.`,
      example: ["vlan:10", "asn:none"],
    }),
});
export type GraphQuery = z.infer<typeof GraphQuery>;
