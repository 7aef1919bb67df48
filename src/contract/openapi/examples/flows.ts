import type { EvidenceItem, Flow, FlowObservation, RawPayload } from "../../flow/flow.ts";
import * as ids from "./ids.ts";

const client = { ip: "10.0.0.5", port: 50000, device_id: ids.DEVICE_ID, geo: null };
const server = {
  ip: "198.51.100.7",
  port: 443,
  device_id: null,
  geo: { country: "RO", city: "Bucharest", asn: 64500, as_organisation: "Example Hosting" },
};
const counters = {
  src_to_dst: { bytes: 500, packets: 8 },
  dst_to_src: { bytes: 4000, packets: 9 },
  semantics: "session",
} as const;

export const FLOW: Flow = {
  flow_id: ids.FLOW_ID,
  start: "2026-01-31T07:11:00.000Z",
  end: "2026-01-31T07:11:42.000Z",
  src: client,
  dst: server,
  proto: "tcp",
  service: "ssl",
  server_name: "cdn.zbot.example",
  names: [
    {
      name: "cdn.zbot.example",
      via: "tls",
      of: "dst",
      same_client: true,
      evidence_id: ids.TLS_EVIDENCE_ID,
      flow_id: ids.FLOW_ID,
    },
    {
      name: "cdn.zbot.example",
      via: "dns",
      of: "dst",
      same_client: true,
      evidence_id: ids.DNS_EVIDENCE_ID,
      flow_id: ids.DNS_FLOW_ID,
    },
  ],
  vlan_id: 20,
  community_id: "1:TaVHVNFw/52rcN5jsGR0QaB+wXY=",
  counters,
  observation_count: 3,
  sources: ["zeek", "suricata"],
  primary_evidence: {
    evidence_id: ids.CONN_EVIDENCE_ID,
    kind: "flow_observation",
    source: "zeek",
    sensor_id: "zeek-1",
  },
  threat_intelligence: false,
  intel: [],
  facts: null,
};

/** A DNS query and answer: Zeek's dns.log has no byte counts, so the counters are null, not 0. */
export const DNS_FLOW: Flow = {
  flow_id: ids.DNS_FLOW_ID,
  start: "2026-01-31T07:10:00.000Z",
  end: "2026-01-31T07:10:00.010Z",
  src: { ...client, port: 51000 },
  dst: { ip: "10.0.0.53", port: 53, device_id: ids.RESOLVER_ID, geo: null },
  proto: "udp",
  service: "dns",
  server_name: null,
  names: [],
  vlan_id: 20,
  community_id: "1:1holosYX08tLTsgfcSDBub4zL0A=",
  counters: {
    src_to_dst: { bytes: null, packets: null },
    dst_to_src: { bytes: null, packets: null },
    semantics: "unknown",
  },
  observation_count: 1,
  sources: ["zeek"],
  primary_evidence: { evidence_id: ids.DNS_EVIDENCE_ID, kind: "dns", source: "zeek", sensor_id: "zeek-1" },
  threat_intelligence: false,
  intel: [],
  facts: null,
};

export const ALERT_EVIDENCE: EvidenceItem = {
  evidence_id: ids.ALERT_EVIDENCE_ID,
  kind: "alert",
  source: "suricata",
  sensor_id: "suricata-1",
  observed_at: "2026-01-31T07:11:30.000Z",
  received_at: "2026-01-31T07:15:00.000Z",
  trust: "packet",
  summary: "ET MALWARE Zbot CnC Checkin (A Network Trojan was detected, priority 1, allowed)",
  flow_id: ids.FLOW_ID,
  record_kind: "suricata.alert",
};

const CONN_TEXT = '{"ts":1769843460.0,"uid":"CHhAvVGS1DHFjwGM9","id.orig_h":"10.0.0.5","id.orig_p":50000,' +
  '"id.resp_h":"198.51.100.7","id.resp_p":443,"proto":"tcp","service":"ssl","duration":42.0,' +
  '"orig_bytes":500,"resp_bytes":4000,"conn_state":"SF","orig_pkts":8,"resp_pkts":9}';
export const CONN_PAYLOAD: RawPayload = JSON.parse(CONN_TEXT);

export const CONN_OBSERVATION: FlowObservation = {
  evidence_id: ids.CONN_EVIDENCE_ID,
  kind: "flow_observation",
  source: "zeek",
  sensor_id: "zeek-1",
  observed_at: "2026-01-31T07:11:00.000Z",
  received_at: "2026-01-31T07:15:00.000Z",
  trust: "packet",
  summary: "tcp 10.0.0.5:50000 → 198.51.100.7:443 (ssl), 500 B out, 4.0 kB in, 42 s",
  flow_id: ids.FLOW_ID,
  record_kind: "zeek.conn",
  source_event_id: "64be2f3575c8db235fd68addb2be0ba4d5a4b19aba8349fe8925bf7b99cb0cb4",
  start: "2026-01-31T07:11:00.000Z",
  end: "2026-01-31T07:11:42.000Z",
  src: client,
  dst: server,
  counters,
  community_id: "1:TaVHVNFw/52rcN5jsGR0QaB+wXY=",
  facts: null,
  warnings: [],
  preferred: true,
  raw: {
    kind: "zeek.conn",
    event_id: "64be2f3575c8db235fd68addb2be0ba4d5a4b19aba8349fe8925bf7b99cb0cb4",
    observed_at: "2026-01-31T07:11:00.000000Z",
    payload: CONN_TEXT,
    payload_bytes: 256,
    truncated: false,
  },
};

export const ALERT_OBSERVATION: FlowObservation = {
  ...ALERT_EVIDENCE,
  source_event_id: "185c0bc9e251d29ad689d699317d7d464825e2d6a32dc805956a9f05cc837b16",
  start: "2026-01-31T07:11:30.000Z",
  end: "2026-01-31T07:11:30.000Z",
  src: client,
  dst: server,
  counters: null,
  community_id: "1:TaVHVNFw/52rcN5jsGR0QaB+wXY=",
  facts: {
    type: "alert",
    gid: 1,
    sid: 2018000,
    rev: 3,
    signature: "ET MALWARE Zbot CnC Checkin",
    category: "A Network Trojan was detected",
    priority: 1,
    action: "allowed",
    metadata: { malware_family: ["Zbot"] },
  },
  warnings: [],
  preferred: false,
  raw: {
    kind: "suricata.alert",
    event_id: "185c0bc9e251d29ad689d699317d7d464825e2d6a32dc805956a9f05cc837b16",
    observed_at: "2026-01-31T07:11:30.000000+0000",
    payload: '{"timestamp":"2026-01-31T07:11:30.000000+0000","flow_id":2235045501222,"event_type":"alert",' +
      '"src_ip":"10.0.0.5","src_port":50000,"dest_ip":"198.51.100.7","dest_port":443,"proto":"TCP",' +
      '"alert":{"action":"allowed","gid":1,"signature_id":2018000,"rev":3,' +
      '"signature":"ET MALWARE Zbot CnC Checkin","category":"A Network Trojan was detected","severity":1}}',
    payload_bytes: 350,
    truncated: false,
  },
};
