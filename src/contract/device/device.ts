import { z } from "@hono/zod-openapi";
import { DeviceIdentity, DeviceMerge } from "./identity.ts";
import { NullableGeo } from "../intel/geo.ts";
import { IntelMatch, IntelReference } from "../intel/intel.ts";
import { Confidence, Id, Ip, line, NullableCount, Score, Timestamp } from "../request/common.ts";

const CLASSIFICATION_SOURCES = ["observed", "inventory", "human_confirmed"] as const;

/** Source of a device's name, by precedence; `address` if there is none. */
const DISPLAY_NAME_SOURCES = ["person", "inventory", "dhcp", "kerberos", "smb", "address"] as const;
export type DisplayNameSource = (typeof DISPLAY_NAME_SOURCES)[number];

/** Types that the service assigns; users and the inventory may use others. */
export const DEVICE_TYPES = [
  "unknown",
  "workstation",
  "phone",
  "server",
  "domain_controller",
  "dns_server",
  "dhcp_server",
  "web_server",
  "mail_server",
  "file_server",
  "database_server",
  "printer",
  "camera",
  "voip_phone",
  "iot",
  "router",
] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** A device as listed. `score` is the highest score of its open incidents, 0 without any. */
export const Device = z.object({
  device_id: Id,
  display_name: z.string(),
  display_name_source: z.enum(DISPLAY_NAME_SOURCES).openapi({
    description:
      "Source of the name, by precedence: a user (`person`), the inventory, the host name of its DHCP lease, its Kerberos " +
      "machine account, its name as an SMB client, or its first address.",
  }),
  device_type: z.string().openapi({
    description: `\`unknown\` or the assigned type: ${
      DEVICE_TYPES.slice(1).map((type) => `\`${type}\``).join(", ")
    }. Users and the inventory may use others.`,
  }),
  classification_source: z.enum(CLASSIFICATION_SOURCES).openapi({
    description:
      "Source of the type: observed behaviour (`observed`), the inventory, or a user (`human_confirmed`). Each takes " +
      "precedence over the previous one.",
  }),
  confidence: Confidence.openapi({
    description:
      "Confidence in the type: up to 0.85 by behaviour (0 if inconclusive), 0.9 by the inventory, 1 if confirmed by a user.",
  }),
  owner: z.string().nullable(),
  tags: z.array(z.string()),
  addresses: z.array(Ip),
  vlan_ids: z.array(z.number().int()).openapi({
    description:
      "VLAN tags that sensors saw on its frames; without any, the VLANs of its addresses by the site's networks (longest " +
      "prefix match).",
  }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  score: Score,
  incident_count: z.number().int().nonnegative(),
  revision: z.number().int().positive(),
}).openapi("Device");
export type Device = z.infer<typeof Device>;

const DevicePeer = z.object({
  ip: Ip,
  device_id: Id.nullable(),
  display_name: z.string().nullable(),
  flow_count: z.number().int().nonnegative(),
  bytes_out: NullableCount,
  bytes_in: NullableCount,
  first_seen: Timestamp,
  last_seen: Timestamp,
  geo: NullableGeo,
}).openapi("DevicePeer");

const DeviceService = z.object({
  proto: z.string(),
  port: z.number().int().nullable(),
  service: z.string().nullable(),
  /** `client`: the device opened the flows; `server`: it accepted them. */
  side: z.enum(["client", "server"]),
  flow_count: z.number().int().nonnegative(),
}).openapi("DeviceService");

export const WorkflowEntry = z.object({
  at: Timestamp,
  actor: z.string(),
  action: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  comment: z.string().nullable(),
  revision: z.number().int(),
}).openapi("WorkflowEntry");
export type WorkflowEntry = z.infer<typeof WorkflowEntry>;

/** Entries shown of an object's history. With the longest comments they take 3 MB. */
export const MAX_HISTORY = 100;
export const WorkflowHistory = z.array(WorkflowEntry).openapi({
  description: `The newest ${MAX_HISTORY} entries, oldest first. The audit has all of them.`,
});

/** An observed property of a device: count of observations and the newest one. */
const Sighting = z.object({
  count: z.number().int().openapi({ description: "Number of observations." }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  evidence_id: Id.openapi({ description: "The newest observation, while it is retained." }),
  flow_id: Id,
});

const FINGERPRINT_KINDS = ["ja3", "ja3s", "ja4", "ja4s", "hassh", "hassh_server"] as const;

const DeviceHostName = z.object({
  name: z.string(),
  source: z.enum(["dhcp", "kerberos", "smb"]),
  first_seen: Timestamp,
  last_seen: Timestamp,
  evidence_id: Id,
  flow_id: Id,
}).openapi("DeviceHostName");

const DeviceLease = z.object({
  ip: Ip,
  mac_address: z.string(),
  mac_randomized: z.boolean().openapi({
    description: "Locally administered: generated, not assigned by the manufacturer.",
  }),
  host_name: z.string().nullable(),
  client_id: z.string().nullable(),
  vendor_class: z.string().nullable(),
  server_ip: Ip.nullable(),
  granted_at: Timestamp.openapi({ description: "Time of the newest acknowledgement." }),
  expires_at: Timestamp.nullable().openapi({
    description: "Null if the lease does not expire or the sensor does not log its duration.",
  }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  evidence_id: Id.openapi({ description: "The most recently received DHCP message." }),
  flow_id: Id,
}).openapi("DeviceLease");

const DeviceVlan = z.object({
  vlan_id: z.number().int(),
  name: z.string().nullable().openapi({ description: "Name from the site's configuration." }),
  source: z.enum(["tag", "network"]).openapi({
    description: "`tag`: seen on its frames; `network`: derived from its address until a tag is seen.",
  }),
}).openapi("DeviceVlan");

/** Classification by behaviour, even if the inventory or a user states another type. */
const ObservedClassification = z.object({
  device_type: z.string(),
  confidence: Confidence,
  reasons: z.array(z.string()).openapi({ description: "Reasons for this type, strongest first." }),
  classified_at: Timestamp,
}).openapi("ObservedClassification");

/** An inventory entry for a device, as an evidence item. */
export const InventoryEvidence = z.object({
  evidence_id: Id,
  kind: z.enum(["flow_observation"]).openapi({
    description: "The generic evidence kind; an inventory entry is not an observation of a flow.",
  }),
  source: z.enum(["inventory"]),
  sensor_id: z.enum(["inventory"]),
  observed_at: Timestamp.openapi({ description: "Time when the entry was first read in its current form." }),
  received_at: Timestamp,
  trust: z.enum(["inventory"]),
  summary: z.string(),
  flow_id: z.enum([""]).openapi({
    description: "Empty: this evidence concerns a device, not a flow.",
  }),
  matched_by: z.enum(["address", "mac_address"]),
  matched_value: z.string(),
  name: z.string(),
  device_type: z.string().nullable(),
  owner: z.string().nullable(),
  tags: z.array(z.string()),
}).openapi("InventoryEvidence");
export type InventoryEvidence = z.infer<typeof InventoryEvidence>;

/** Peers, services and the grid cover the requested time window, up to a bounded number of flows. */
export const DeviceDetail = Device.extend({
  mac_addresses: z.array(z.string()).openapi({
    description: "MAC addresses of the DHCP clients that leased its addresses, newest first.",
  }),
  leases: z.array(DeviceLease),
  host_names: z.array(DeviceHostName).openapi({
    description: "Names that the device uses for itself, newest first.",
  }),
  score_history: z.array(z.object({ at: Timestamp, score: Score, reason: z.string() })),
  pattern_grid: z.array(z.object({
    weekday: z.number().int().min(1).max(7),
    hour: z.number().int().min(0).max(23),
    flow_count: z.number().int().nonnegative(),
  })).openapi({
    description:
      "Flows by the hour in which they began; weekday 1 is Monday. In UTC, or in the `zone` of the request.",
  }),
  top_peers: z.array(DevicePeer),
  top_destinations: z.array(DevicePeer.extend({
    threat_intelligence: z.boolean().openapi({
      description: "Whether any of the indicators in `intel` is currently listed.",
    }),
    intel: z.array(IntelReference).max(8).openapi({
      description:
        "Indicators that the device matched there: the address, or a name under which it contacted the server.",
    }),
  })),
  intel_matches: z.array(IntelMatch).max(100).openapi({
    description:
      "Threat intelligence indicators that any of its addresses matched, newest first. They remain after a list removes " +
      "them (see `listed`), for the retention period of records.",
  }),
  services: z.array(DeviceService),
  domains: z.array(Sighting.extend({ domain: z.string() })).openapi({
    description:
      "Registered domains that it requested, by DNS, TLS server name or HTTP host. Like all lists below, this covers all " +
      "retained records regardless of the time window; newest first, at most 100 per kind.",
  }),
  fingerprints: z.array(Sighting.extend({ kind: z.enum(FINGERPRINT_KINDS), value: z.string() })).openapi({
    description: "`ja3`, `ja4` and `hassh` as a client; `ja3s`, `ja4s` and `hassh_server` as a server.",
  }),
  user_agents: z.array(Sighting.extend({ value: z.string() })),
  software: z.array(Sighting.extend({ kind: z.enum(["ssh_client", "ssh_server"]), value: z.string() })),
  accounts: z.array(Sighting.extend({
    kind: z.enum(["smb_user", "kerberos_principal"]),
    value: z.string().openapi({ example: "CORP\\ana" }),
  })).openapi({ description: "Accounts with which it logs in, except logins rejected by the server." }),
  logon_domains: z.array(Sighting.extend({ value: z.string() })),
  certificates: z.array(Sighting.extend({
    fingerprint: z.string().nullable(),
    subject: z.string().nullable(),
  })).openapi({ description: "Certificates of its TLS services." }),
  ssh_host_keys: z.array(Sighting.extend({ value: z.string() })),
  telemetry_truncated: z.boolean(),
  identities: z.array(DeviceIdentity).openapi({
    description:
      "Identifying properties across all of its addresses. Empty while the identity job is disabled.",
  }),
  merge_events: z.array(DeviceMerge).openapi({
    description:
      "Merges of this device with others, newest first. A merged device is no longer listed; a request with its id returns " +
      "the device it was merged into, with that device's `device_id`. Addresses, flows, VLANs and incidents cover all merged " +
      "devices. Empty while the identity job is disabled.",
  }),
  workflow_history: WorkflowHistory,
  vlans: z.array(DeviceVlan),
  observed_classification: ObservedClassification.nullable().openapi({
    description: "Null until the device is first classified, which takes about a minute.",
  }),
  inventory: z.array(InventoryEvidence).openapi({
    description:
      "Inventory entries with one of its addresses, or with the MAC address of the latest DHCP lease of one. The first one " +
      "names and classifies the device unless a user did.",
  }),
}).openapi("DeviceDetail");
export type DeviceDetail = z.infer<typeof DeviceDetail>;

export const DevicePatch = z.strictObject({
  display_name: line(128).optional(),
  device_type: line(64).optional(),
  owner: line(128).nullable().optional(),
  tags: z.array(line(64)).max(32).optional(),
}).refine((patch) => Object.keys(patch).length > 0, "expected at least one field").openapi("DevicePatch", {
  description:
    "At least one field. Absent fields do not change; `owner: null` clears the owner. Any patch confirms the device's " +
    "resulting type, which neither behaviour nor the inventory changes afterwards. The inventory does not change a name, " +
    "owner or tags set by a user either.",
});
export type DevicePatch = z.infer<typeof DevicePatch>;
