import type { Device, DeviceDetail, DevicePatch } from "../../device/device.ts";
import * as ids from "./ids.ts";

export const DEVICE: Device = {
  device_id: ids.DEVICE_ID,
  display_name: "front-desk",
  display_name_source: "dhcp",
  device_type: "workstation",
  classification_source: "observed",
  confidence: 0.7,
  owner: null,
  tags: [],
  addresses: ["10.0.0.5"],
  vlan_ids: [20],
  first_seen: "2026-01-31T07:05:02.120Z",
  last_seen: "2026-01-31T07:11:42.000Z",
  score: 50,
  incident_count: 1,
  revision: 1,
};

const sighting = {
  count: 1,
  first_seen: "2026-01-31T07:11:00.000Z",
  last_seen: "2026-01-31T07:11:00.000Z",
  evidence_id: ids.TLS_EVIDENCE_ID,
  flow_id: ids.FLOW_ID,
};

const server = {
  ip: "198.51.100.7",
  device_id: null,
  display_name: null,
  flow_count: 1,
  bytes_out: 500,
  bytes_in: 4000,
  first_seen: "2026-01-31T07:11:00.000Z",
  last_seen: "2026-01-31T07:11:42.000Z",
  geo: { country: "RO", city: "Bucharest", asn: 64500, as_organisation: "Example Hosting" },
};

/** The grid is abridged: a response has all 168 hours of a week. */
export const DEVICE_DETAIL: DeviceDetail = {
  ...DEVICE,
  mac_addresses: ["3c:22:fb:10:20:30"],
  leases: [{
    ip: "10.0.0.5",
    mac_address: "3c:22:fb:10:20:30",
    mac_randomized: false,
    host_name: "front-desk",
    client_id: null,
    vendor_class: "MSFT 5.0",
    server_ip: "10.0.0.1",
    granted_at: "2026-01-31T07:05:02.120Z",
    expires_at: "2026-01-31T15:05:02.120Z",
    first_seen: "2026-01-31T07:05:02.120Z",
    last_seen: "2026-01-31T07:05:02.120Z",
    evidence_id: ids.LEASE_EVIDENCE_ID,
    flow_id: ids.LEASE_FLOW_ID,
  }],
  host_names: [{
    name: "front-desk",
    source: "dhcp",
    first_seen: "2026-01-31T07:05:02.120Z",
    last_seen: "2026-01-31T07:05:02.120Z",
    evidence_id: ids.LEASE_EVIDENCE_ID,
    flow_id: ids.LEASE_FLOW_ID,
  }],
  score_history: [{
    at: "2026-01-31T07:15:00.000Z",
    score: 50,
    reason: "Malware traffic of 10.0.0.5 (ET MALWARE)",
  }],
  pattern_grid: [
    { weekday: 6, hour: 6, flow_count: 0 },
    { weekday: 6, hour: 7, flow_count: 2 },
    { weekday: 6, hour: 8, flow_count: 0 },
  ],
  top_peers: [server],
  top_destinations: [{ ...server, threat_intelligence: false, intel: [] }],
  intel_matches: [],
  services: [{ proto: "tcp", port: 443, service: "ssl", side: "client", flow_count: 1 }],
  domains: [{ ...sighting, domain: "zbot.example" }],
  fingerprints: [{ ...sighting, kind: "ja3", value: "771a5e6b1c2d3e4f50617283940a1b2c" }],
  user_agents: [],
  software: [],
  accounts: [],
  logon_domains: [],
  certificates: [],
  ssh_host_keys: [],
  telemetry_truncated: false,
  identities: [{
    class: "dhcp_hostname",
    value: "front-desk",
    source: "suricata",
    weight: 0.35,
    first_seen: "2026-01-31T07:05:02.120Z",
    last_seen: "2026-01-31T07:05:02.120Z",
    observed_days: 1,
    randomized: false,
    confirming: true,
    shared: false,
  }],
  merge_events: [],
  workflow_history: [],
  vlans: [{ vlan_id: 20, name: "Office", source: "network" }],
  observed_classification: {
    device_type: "workstation",
    confidence: 0.7,
    reasons: ["its DHCP client is that of Windows", "it opens connections and answers none"],
    classified_at: "2026-01-31T07:14:30.000Z",
  },
  inventory: [],
};

export const DEVICE_PATCH: DevicePatch = {
  display_name: "Front desk",
  device_type: "workstation",
  owner: "Reception",
  tags: ["lobby"],
};

export const CONFIRMED_DEVICE: DeviceDetail = {
  ...DEVICE_DETAIL,
  ...DEVICE_PATCH,
  display_name_source: "person",
  classification_source: "human_confirmed",
  confidence: 1,
  revision: 4,
  workflow_history: [{
    at: "2026-01-31T07:15:20.000Z",
    actor: "ada",
    action: "classification_confirmed",
    from: "observed",
    to: "human_confirmed",
    comment: null,
    revision: 4,
  }],
};
