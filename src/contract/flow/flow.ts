import { z } from "@hono/zod-openapi";
import {
  Id,
  Ip,
  IpInput,
  line,
  NullableCount,
  PageQuery,
  Timestamp,
  WindowQuery,
} from "../request/common.ts";
import { Facts } from "../record/facts.ts";
import { NullableGeo } from "../intel/geo.ts";
import { DEVICE_ID, INCIDENT_ID } from "../openapi/examples/ids.ts";
import { IntelReference } from "../intel/intel.ts";
import {
  COUNTER_SEMANTICS,
  EVIDENCE_KINDS,
  EVIDENCE_SOURCES,
  RECORD_KINDS,
  TRUST_CLASSES,
} from "../record/kinds.ts";

const Direction = z.object({ bytes: NullableCount, packets: NullableCount }).openapi(
  "Direction",
);

/** From one preferred observation, never summed across sensors; null is "not measured". */
const Counters = z.object({
  src_to_dst: Direction,
  dst_to_src: Direction,
  semantics: z.enum(COUNTER_SEMANTICS),
}).openapi("Counters");

const FlowEnd = z.object({
  ip: Ip,
  port: z.number().int().min(0).max(65535).openapi({
    description: "0 where the protocol has no ports, or the record does not say.",
  }),
  device_id: Id.nullable(),
  geo: NullableGeo,
}).openapi("FlowEnd");

const EvidenceReference = z.object({
  evidence_id: Id,
  kind: z.enum(EVIDENCE_KINDS),
  source: z.enum(EVIDENCE_SOURCES),
  sensor_id: z.string(),
}).openapi("EvidenceReference");

export const FlowName = z.object({
  name: z.string(),
  via: z.enum(["tls", "http", "dns"]).openapi({
    description: "TLS server name, HTTP host, or an answer that led to the address before the flow began.",
  }),
  of: z.enum(["src", "dst"]).openapi({
    description: "Whose name it is: the server's, which an exporter's direction may put first.",
  }),
  same_client: z.boolean().openapi({
    description:
      "False for an answer that other clients were given, all of them the same: weaker than any other.",
  }),
  evidence_id: Id,
  flow_id: Id.openapi({ description: "The flow that the evidence belongs to." }),
}).openapi("FlowName");
export type FlowName = z.infer<typeof FlowName>;

export const Flow = z.object({
  flow_id: Id,
  start: Timestamp,
  end: Timestamp,
  src: FlowEnd,
  dst: FlowEnd,
  proto: z.string(),
  service: z.string().nullable(),
  server_name: z.string().nullable().openapi({
    description: "The first name by which its client asked for the server, in TLS or HTTP.",
  }),
  names: z.array(FlowName).max(8).openapi({
    description:
      "Names that the server goes by here, the best known first: `server_name`, then up to three that the client had " +
      "been told for the address by DNS within the 24 hours before, the most recent first. An answer of mDNS, LLMNR or " +
      "NetBIOS is none, nor is an address for which the client was told more than 32 names.",
  }),
  vlan_id: z.number().int().nullable().openapi({
    description:
      "The tag that a sensor saw; else the VLAN that the site's networks have for the source address, else for the " +
      "destination's (the longest prefix wins).",
  }),
  community_id: z.string().nullable(),
  counters: Counters,
  observation_count: z.number().int().positive(),
  sources: z.array(z.enum(EVIDENCE_SOURCES)),
  primary_evidence: EvidenceReference,
  threat_intelligence: z.boolean().openapi({
    description: "Whether a list names something that the flow met: any of `intel` is listed still.",
  }),
  intel: z.array(IntelReference).max(8).openapi({
    description:
      "Indicators that one of its ends met, as far as the flow itself shows it: the address of the other end, a name of the " +
      "server by which its client went there, or whatever the newest evidence of the match shows, if that is of this flow.",
  }),
}).openapi("Flow");
export type Flow = z.infer<typeof Flow>;

/** The record behind a piece of evidence, as the sensor sent it. */
export const RawRecord = z.object({
  kind: z.enum(RECORD_KINDS),
  event_id: z.string().openapi({ description: "Hex SHA-256 event identifier." }),
  observed_at: z.string().openapi({ description: "As sent, with every fraction digit." }),
  payload: z.string().openapi({ description: "The payload's exact JSON text." }),
}).openapi("RawRecord");
export type RawRecord = z.infer<typeof RawRecord>;

export const EvidenceItem = z.object({
  evidence_id: Id,
  kind: z.enum(EVIDENCE_KINDS),
  source: z.enum(EVIDENCE_SOURCES),
  sensor_id: z.string(),
  observed_at: Timestamp,
  received_at: Timestamp,
  trust: z.enum(TRUST_CLASSES),
  summary: z.string(),
  flow_id: Id,
  record_kind: z.enum(RECORD_KINDS),
}).openapi("EvidenceItem");
export type EvidenceItem = z.infer<typeof EvidenceItem>;

/** One observation of a flow; `raw` is null once the retained record is gone. */
export const FlowObservation = EvidenceItem.extend({
  source_event_id: z.string().nullable(),
  start: Timestamp,
  end: Timestamp,
  src: FlowEnd,
  dst: FlowEnd,
  counters: Counters.nullable(),
  community_id: z.string().nullable(),
  facts: Facts.nullable().openapi({
    description:
      "What the record says beyond its counters, as it was understood; null where that is nothing.",
  }),
  warnings: z.array(z.string()),
  preferred: z.boolean().openapi({ description: "The observation the flow's counters come from." }),
  raw: RawRecord.nullable(),
}).openapi("FlowObservation");
export type FlowObservation = z.infer<typeof FlowObservation>;

export const FlowQuery = PageQuery.extend(WindowQuery.shape).extend({
  limit: PageQuery.shape.limit.openapi({
    type: "integer",
    minimum: 1,
    maximum: 500,
    default: 100,
    description:
      "A page looks through so many flows at most. Where few of them are what is asked for it is shorter, or empty, and " +
      "`next_cursor` goes on; only where that is null there are no more.",
  }),
  device_id: Id.optional().openapi({
    description: "Flows with this device at either end.",
    example: DEVICE_ID,
  }),
  peer_ip: IpInput.optional().openapi({
    description: "Flows with this address at either end; another spelling than the canonical one is refused.",
    example: "198.51.100.7",
  }),
  proto: line(32).optional().openapi({ description: "IANA keyword in any case, or number.", example: "tcp" }),
  service: line(64).optional().openapi({
    description: "In any case; also one of several (`smb` finds `gssapi,smb`).",
    example: "dns",
  }),
  source: z.enum(EVIDENCE_SOURCES).optional().openapi({
    description: "Flows that this kind of source observed, perhaps among others.",
    example: "zeek",
  }),
  incident_id: Id.optional().openapi({
    description: "Flows that this incident's evidence belongs to.",
    example: INCIDENT_ID,
  }),
});

/** Without parameters the whole of a flow, as good as always; pages are for the flows of a flood. */
export const FlowEvidenceQuery = PageQuery.extend({
  limit: PageQuery.shape.limit.openapi({
    type: "integer",
    minimum: 1,
    maximum: 500,
    default: undefined,
    example: 200,
    description: "Without it a page holds up to 1,000 observations, which is all of almost any flow.",
  }),
});
