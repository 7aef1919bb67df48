import { z } from "@hono/zod-openapi";
import { SEVERITIES } from "../record/kinds.ts";
import { Id, Ip, NullableCount, Timestamp } from "../request/common.ts";

/** One end of a flow. */
export const IncidentParty = z.object({
  ip: Ip.nullable().openapi({ description: "Null if the record does not state it." }),
  port: z.number().int().nullable(),
  device_id: Id.nullable(),
  name: z.string().nullable().openapi({
    description:
      "Name of the device, the name under which the client reached the server, or the sensor of a resolver whose log does not " +
      "state its address.",
  }),
  country: z.string().nullable(),
}).openapi("IncidentParty");
export type IncidentParty = z.infer<typeof IncidentParty>;

/** Destination ports of a talk, the most frequent ones. */
export const MAX_TALK_PORTS = 8;

/** Pairs of ends whose flows are all added up. */
export const MAX_SUMMED_TALKS = 12;
/** Days of an incident whose flows are all added up. */
export const MAX_SUMMED_DAYS = 7;

/** All traffic of an incident's evidence from one end to another, ports of clients aside. */
export const IncidentTalk = z.object({
  src: IncidentParty,
  dst: IncidentParty.openapi({ description: "Its port is null if the flows have several." }),
  services: z.array(z.string()).openapi({
    description: "Services, or ports of flows without a known service, most frequent first.",
  }),
  ports: z.array(z.number().int()).openapi({
    description: `At most ${MAX_TALK_PORTS} destination ports, most frequent first.`,
  }),
  flows: z.number().int().nonnegative().openapi({
    description: "0 if only a result names the destination: none of its flows is among the evidence.",
  }),
  bytes_out: NullableCount.openapi({ description: "From `src` to `dst`; null if no flow states it." }),
  bytes_in: NullableCount.openapi({ description: "From `dst` to `src`; null if no flow states it." }),
  all_flows: z.object({
    flows: z.number().int().nonnegative(),
    bytes_out: NullableCount,
    bytes_in: NullableCount,
  }).nullable().openapi({
    description:
      "All flows from `src` to `dst` that started during the incident or a minute before or after it, evidence or not. Null if " +
      "they were not added up: if no evidence has a flow, the ends have too much traffic, the incident lasts more than " +
      `${MAX_SUMMED_DAYS} days, or ${MAX_SUMMED_TALKS} pairs with more traffic stand before.`,
  }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  severity: z.enum(SEVERITIES).nullable().openapi({
    description: "The highest of the findings that rely on it; null if none names its records.",
  }),
  evidence_ids: z.array(Id).openapi({ description: "Its records in `evidence`, oldest first." }),
}).openapi("IncidentTalk");
export type IncidentTalk = z.infer<typeof IncidentTalk>;
