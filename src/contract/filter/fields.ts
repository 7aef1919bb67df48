// The fields of the search language. Everything else about a field follows from this table: parser, completion,
// printer, OpenAPI documentation, SQL (`store/search`) and the in-memory predicate (`domain/search`).

import { ENTITY_FIELDS } from "./entity-fields.ts";
import type { Field } from "./field.ts";
import { FLOW_FIELDS } from "./flow-fields.ts";
import { RECORD_FIELDS } from "./record-fields.ts";

const COMMON_FIELDS = {
  any: {
    owner: "all",
    type: "any",
    description:
      "A bare word: an address, CIDR, port, name, fingerprint or text finds itself in every field of its type.",
    example: "198.51.100.7",
  },
  time: {
    owner: "all",
    type: "time",
    description: "Start of a flow; last activity of a device or incident. Replaces the default time window.",
    example: "time:today",
  },
  first_seen: {
    owner: "all",
    type: "time",
    aliases: ["new", "firstseen"],
    description: "First activity of a device or incident; start of a flow.",
    example: "first_seen>=-7d",
  },
  last_seen: {
    owner: "all",
    type: "time",
    aliases: ["lastseen"],
    description: "Last activity of a device or incident; end of a flow.",
    example: "last_seen<-2d",
  },
} as const satisfies Record<string, Field>;

const FIELD_TABLE = { ...COMMON_FIELDS, ...FLOW_FIELDS, ...RECORD_FIELDS, ...ENTITY_FIELDS };

export type FieldName = keyof typeof FIELD_TABLE;

/** The field table, in the order of the documentation. */
export const FIELDS: Readonly<Record<FieldName, Field>> = FIELD_TABLE;
export const FIELD_NAMES = Object.keys(FIELD_TABLE) as [FieldName, ...FieldName[]];

/** What a field is called in a sentence. */
export const FIELD_LABELS: Readonly<Record<FieldName, string>> = {
  any: "anything",
  time: "time",
  first_seen: "first seen",
  last_seen: "last seen",
  flow: "flow",
  ip: "address",
  "src.ip": "source address",
  "dst.ip": "destination address",
  port: "port",
  "src.port": "source port",
  "dst.port": "destination port",
  country: "country",
  "src.country": "source country",
  "dst.country": "destination country",
  asn: "autonomous system",
  "src.asn": "source autonomous system",
  "dst.asn": "destination autonomous system",
  vlan: "VLAN",
  direction: "direction",
  proto: "protocol",
  service: "service",
  source: "record source",
  sensor: "sensor",
  community_id: "Community ID",
  bytes: "bytes",
  "src.bytes": "bytes sent",
  "dst.bytes": "bytes received",
  packets: "packets",
  rate: "rate",
  duration: "duration",
  intel: "threat intelligence",
  server_name: "server name",
  "dns.query": "DNS query",
  "dns.answer": "DNS answer",
  "dns.type": "DNS query type",
  "dns.rcode": "DNS result",
  "tls.version": "TLS version",
  ja3: "JA3 fingerprint",
  ja3s: "JA3S fingerprint",
  ja4: "JA4 fingerprint",
  ja4s: "JA4S fingerprint",
  certificate: "certificate fingerprint",
  "certificate.subject": "certificate subject",
  "certificate.issuer": "certificate issuer",
  "http.host": "HTTP host",
  "http.path": "HTTP path",
  "http.method": "HTTP method",
  "http.status": "HTTP status",
  user_agent: "user agent",
  "ssh.client": "SSH client",
  "ssh.server": "SSH server",
  hassh: "HASSH fingerprint",
  hassh_server: "HASSH server fingerprint",
  user: "account",
  logon: "log-on",
  "smb.file": "SMB file",
  "smb.share": "SMB share",
  alert: "alert",
  "alert.id": "signature number",
  "alert.category": "alert category",
  anomaly: "anomaly",
  device: "device name",
  "device.id": "device",
  "device.ip": "device address",
  "device.type": "device type",
  owner: "owner",
  tag: "tag",
  "device.vlan": "device VLAN",
  "device.score": "device score",
  incident: "incident",
  title: "incident title",
  severity: "severity",
  status: "status",
  score: "incident score",
  detector: "detector",
  technique: "technique",
  assignee: "assignee",
};
