import { FilterQuery } from "../search/filter.ts";
import { z } from "@hono/zod-openapi";
import {
  bothWays,
  FilterId,
  Id,
  Ip,
  IpInput,
  line,
  NullableCount,
  PageQuery,
  sortOf,
  Timestamp,
  WindowQuery,
} from "../request/common.ts";
import { FACT_TYPES, Facts } from "../record/facts.ts";
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

/**
 * From one preferred observation, or the sum of one exporter's delta reports; never summed across sensors. Null
 * means not measured.
 */
export const Counters = z.object({
  src_to_dst: Direction,
  dst_to_src: Direction,
  semantics: z.enum(COUNTER_SEMANTICS),
}).openapi("Counters");

const FlowEnd = z.object({
  ip: Ip.openapi({
    description:
      "Canonical address: dotted decimal or RFC 5952. `0.0.0.0` or `::` if the record does not state it.",
  }),
  port: z.number().int().min(0).max(65535).openapi({
    description: "0 if the protocol has no ports or the record does not state one.",
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
    description: "TLS server name, HTTP host, or a DNS answer with the address before the flow began.",
  }),
  of: z.enum(["src", "dst"]).openapi({
    description: "The end that the name belongs to, the server; flow exports may report it as the source.",
  }),
  same_client: z.boolean().openapi({
    description:
      "False for a DNS answer that only other clients received, all with the same name; weaker than the others.",
  }),
  evidence_id: Id,
  flow_id: Id.openapi({ description: "The flow that the evidence belongs to." }),
}).openapi("FlowName");
export type FlowName = z.infer<typeof FlowName>;

/** Distinct facts of a flow in a list. */
export const MAX_LISTED_FACTS = 20;

export const Flow = z.object({
  flow_id: Id,
  start: Timestamp,
  end: Timestamp,
  src: FlowEnd,
  dst: FlowEnd,
  proto: z.string(),
  service: z.string().nullable(),
  server_name: z.string().nullable().openapi({
    description: "The first server name that the client requested, in TLS or HTTP.",
  }),
  names: z.array(FlowName).max(8).openapi({
    description:
      "Names of the server, most reliable first: `server_name`, then up to three names that DNS answers gave the client for " +
      "the address within the preceding 24 hours, most recent first. Answers of mDNS, LLMNR and NetBIOS are excluded, as are " +
      "addresses for which the client received more than 32 names.",
  }),
  vlan_id: z.number().int().nullable().openapi({
    description:
      "The tag that a sensor saw; otherwise the VLAN of the source address by the site's networks, otherwise of the " +
      "destination address (longest prefix match).",
  }),
  community_id: z.string().nullable(),
  counters: Counters,
  observation_count: z.number().int().positive(),
  sources: z.array(z.enum(EVIDENCE_SOURCES)),
  primary_evidence: EvidenceReference,
  threat_intelligence: z.boolean().openapi({
    description: "Whether any of the indicators in `intel` is currently listed.",
  }),
  intel: z.array(IntelReference).max(8).openapi({
    description:
      "Indicators that one of its ends matched in this flow: the address of the other end, a server name that the client " +
      "used, or the match's newest evidence if it belongs to this flow.",
  }),
  facts: z.array(Facts).max(MAX_LISTED_FACTS).nullable().openapi({
    description:
      `Only with the parameter \`facts\`: the parsed contents of that type that the flow's records have, each once, ` +
      `earliest first, at most ${MAX_LISTED_FACTS}; otherwise null. The evidence of the flow has all of them.`,
  }),
}).openapi("Flow");
export type Flow = z.infer<typeof Flow>;

/** Longest payload text in a list, in bytes. Sensors' records have a few hundred bytes; this bounds a hostile page. */
export const MAX_LISTED_PAYLOAD_BYTES = 64 * 1024;

/** The raw record behind an evidence item, as the sensor sent it. */
export const RawRecord = z.object({
  kind: z.enum(RECORD_KINDS),
  event_id: z.string().openapi({ description: "Hex SHA-256 event identifier." }),
  observed_at: z.string().openapi({ description: "As sent, with all fraction digits." }),
  payload: z.string().openapi({
    description:
      `The payload's exact JSON text; only its first ${MAX_LISTED_PAYLOAD_BYTES} bytes if \`truncated\`. ` +
      "`GET /api/v1/evidence/{evidence_id}/raw` returns all of it.",
  }),
  payload_bytes: z.number().int().nonnegative().openapi({
    description: "Size of the whole payload in UTF-8 bytes.",
  }),
  truncated: z.boolean().openapi({
    description: `Whether \`payload\` was cut because it is larger than ${MAX_LISTED_PAYLOAD_BYTES} bytes.`,
  }),
}).openapi("RawRecord");
export type RawRecord = z.infer<typeof RawRecord>;

/** The payload of a raw record on its own, of any size. */
export type RawPayload = z.infer<typeof RawPayload>;
export const RawPayload = z.record(z.string(), z.unknown()).openapi("RawPayload", {
  description: "The sensor's JSON object, byte for byte as it was received.",
});

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

/** One observation of a flow; `raw` is null once the record is no longer retained. */
export const FlowObservation = EvidenceItem.extend({
  source_event_id: z.string().nullable(),
  start: Timestamp,
  end: Timestamp,
  src: FlowEnd,
  dst: FlowEnd,
  counters: Counters.nullable(),
  community_id: z.string().nullable(),
  facts: Facts.nullable().openapi({
    description: "The record's parsed content beyond its counters; null if there is none.",
  }),
  warnings: z.array(z.string()),
  preferred: z.boolean().openapi({ description: "Whether the flow's counters come from this observation." }),
  raw: RawRecord.nullable(),
}).openapi("FlowObservation");
export type FlowObservation = z.infer<typeof FlowObservation>;

/** Fields of the flow itself that its list sorts by. */
const FLOW_ORDERS = [
  "start",
  "src.device",
  "dst.device",
  "src.ip",
  "dst.ip",
  "src.country",
  "dst.country",
  "src.asn",
  "dst.asn",
  "server_name",
  "service",
  "vlan",
  "source",
  "community_id",
  "observations",
  "bytes",
  "src.bytes",
  "dst.bytes",
  "packets",
  "src.packets",
  "dst.packets",
  "duration",
] as const;
/** Fields of the facts that a list shows first of each flow (the parameter `facts`). */
const FACT_ORDERS = [
  "alert",
  "alert.category",
  "alert.priority",
  "alert.action",
  "alert.id",
  "dns.query",
  "dns.type",
  "dns.rcode",
  "dns.answer",
  "tls.version",
  "ja3",
  "ja4",
  "certificate",
  "certificate.subject",
  "certificate.issuer",
  "http.host",
  "http.method",
  "http.path",
  "http.status",
  "http.bytes",
  "user_agent",
] as const;
export type FactOrder = (typeof FACT_ORDERS)[number];
export type FlowOrder = (typeof FLOW_ORDERS)[number] | FactOrder;

/** Orders of the list of flows; the first is the default. */
export const FLOW_SORTS = bothWays([...FLOW_ORDERS, ...FACT_ORDERS]);
export type FlowSort = (typeof FLOW_SORTS)[number];

/** Flows that an order without an index examines at most, and an order by what their records state. */
export const MAX_SORTED_FLOWS = 400_000;
export const MAX_FACT_SORTED_FLOWS = 20_000;

export const FlowQuery = PageQuery.extend(WindowQuery.shape).extend({
  ...FilterQuery,
  limit: PageQuery.shape.limit.openapi({
    type: "integer",
    minimum: 1,
    maximum: 500,
    default: 100,
    description:
      "Maximum number of flows examined per page. If few of them match the filter, the page is shorter or empty and " +
      "`next_cursor` continues; a page also ends after 4 MiB. Only a null cursor marks the end.",
  }),
  device_id: FilterId.optional().openapi({
    description: "Flows with this device at either end.",
    example: DEVICE_ID,
  }),
  peer_ip: IpInput.optional().openapi({
    description: "Flows with this address at either end; only the canonical spelling is accepted.",
    example: "198.51.100.7",
  }),
  proto: line(32).optional().openapi({
    description: "IANA keyword, case-insensitive, or protocol number.",
    example: "tcp",
  }),
  service: line(64).optional().openapi({
    description: "Case-insensitive; also matches one of several services (`smb` finds `gssapi,smb`).",
    example: "dns",
  }),
  source: z.enum(EVIDENCE_SOURCES).optional().openapi({
    description: "Flows that this kind of source observed, possibly among others.",
    example: "zeek",
  }),
  incident_id: FilterId.optional().openapi({
    description: "Flows with evidence of this incident.",
    example: INCIDENT_ID,
  }),
  sort: sortOf(FLOW_SORTS, "-start", {
    more:
      "An unknown value comes last in both directions, and equal ones are newest first. Texts are compared without the case " +
      "of ASCII letters, by their first 256 characters, and addresses as numbers. Fields are named as in the search language; " +
      "`src.device` sorts by the name of the device at that end, then by the addresses of ends without one, `src.asn` by " +
      "the name of the network, `source` by the kinds of source in their order in `sources`, and a field of records by the " +
      "earliest record, as `facts` shows it. `server_name` leaves out names that only DNS answers suggest. Except for " +
      `\`-start\`, an order examines at most ${
        MAX_SORTED_FLOWS.toLocaleString("en")
      } flows, and one by a field of records ` +
      `(${FACT_ORDERS.map((field) => `\`${field}\``).join(", ")}) at most ${
        MAX_FACT_SORTED_FLOWS.toLocaleString("en")
      }; if more meet the indexed conditions of the filter, the request is refused ` +
      "(`search_too_broad`), and `details.from` states the earliest start of a window that is short enough.",
  }),
  facts: z.enum(FACT_TYPES).optional().openapi({
    description: "Adds the facts of this type to each flow; does not filter.",
    example: "dns",
  }),
});

/** Without parameters, one page covers almost any flow completely; paging is for flows of a flood. */
export const FlowEvidenceQuery = PageQuery.extend({
  limit: PageQuery.shape.limit.openapi({
    type: "integer",
    minimum: 1,
    maximum: 500,
    default: undefined,
    example: 200,
    description:
      "Default: up to 1,000 observations, which covers almost any flow completely. A page also ends after 4 MiB; only a " +
      "null `next_cursor` marks the end.",
  }),
});
