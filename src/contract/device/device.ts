import { z } from "@hono/zod-openapi";
import { DeviceIdentity, DeviceMerge } from "./identity.ts";
import { NullableGeo } from "../intel/geo.ts";
import { IntelMatch, IntelReference } from "../intel/intel.ts";
import { Confidence, Id, Ip, line, NullableCount, Score, Timestamp } from "../request/common.ts";

const CLASSIFICATION_SOURCES = ["observed", "inventory", "human_confirmed"] as const;

/** Who gave a device its name, the strongest first; `address` where nobody did. */
const DISPLAY_NAME_SOURCES = ["person", "inventory", "dhcp", "kerberos", "smb", "address"] as const;
export type DisplayNameSource = (typeof DISPLAY_NAME_SOURCES)[number];

/** What the service itself calls a device; people and the inventory may use words of their own. */
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

/** A device as the list shows it. Score is the highest score of its open incidents, 0 without one. */
export const Device = z.object({
  device_id: Id,
  display_name: z.string(),
  display_name_source: z.enum(DISPLAY_NAME_SOURCES).openapi({
    description:
      "Who gave it that name: a person, the inventory, or else what was observed: the host name of its DHCP lease, of " +
      "its machine account in Kerberos, the one it gives as an SMB client; at last its first address.",
  }),
  device_type: z.string().openapi({
    description: `\`unknown\`, or what it is taken for: ${
      DEVICE_TYPES.slice(1).map((type) => `\`${type}\``).join(", ")
    }. People and the inventory may use words of their own.`,
  }),
  classification_source: z.enum(CLASSIFICATION_SOURCES).openapi({
    description:
      "Who says what type it is: its behaviour (`observed`), the deployment's inventory, or a person. Each gives way " +
      "to the next.",
  }),
  confidence: Confidence.openapi({
    description:
      "In the type: up to 0.85 by behaviour (0 where that says nothing), 0.9 by the inventory, 1 by a person.",
  }),
  owner: z.string().nullable(),
  tags: z.array(z.string()),
  addresses: z.array(Ip),
  vlan_ids: z.array(z.number().int()).openapi({
    description:
      "VLANs whose tags sensors saw on its frames; where none was seen, those that the site's networks have for its " +
      "addresses (the longest prefix wins).",
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
  /** `client`: the device opened the flows; `server`: it answered them. */
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

/** What observations showed of a device, how often, and the newest of them. */
const Sighting = z.object({
  count: z.number().int().openapi({ description: "Observations that showed it." }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  evidence_id: Id.openapi({ description: "The newest observation, as long as it is kept." }),
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
    description: "Locally administered: made up, not given by a maker.",
  }),
  host_name: z.string().nullable(),
  client_id: z.string().nullable(),
  vendor_class: z.string().nullable(),
  server_ip: Ip.nullable(),
  granted_at: Timestamp.openapi({ description: "The newest acknowledgement." }),
  expires_at: Timestamp.nullable().openapi({
    description: "Null where it never does, or the sensor does not log how long it lasts.",
  }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  evidence_id: Id.openapi({ description: "The message that arrived last." }),
  flow_id: Id,
}).openapi("DeviceLease");

const DeviceVlan = z.object({
  vlan_id: z.number().int(),
  name: z.string().nullable().openapi({ description: "As the site's configuration has it." }),
  source: z.enum(["tag", "network"]).openapi({
    description: "`tag`: seen on its frames; `network`: by its address, until a tag is seen.",
  }),
}).openapi("DeviceVlan");

/** What its behaviour makes of a device, also where the inventory or a person says otherwise. */
const ObservedClassification = z.object({
  device_type: z.string(),
  confidence: Confidence,
  reasons: z.array(z.string()).openapi({ description: "What speaks for this type, the strongest first." }),
  classified_at: Timestamp,
}).openapi("ObservedClassification");

/** An entry of the deployment's inventory that is about a device, as an item of evidence. */
export const InventoryEvidence = z.object({
  evidence_id: Id,
  kind: z.enum(["flow_observation"]).openapi({
    description: "The kind of whatever has none of its own; an inventory entry is no observation of a flow.",
  }),
  source: z.enum(["inventory"]),
  sensor_id: z.enum(["inventory"]),
  observed_at: Timestamp.openapi({ description: "When the entry was first read as it is." }),
  received_at: Timestamp,
  trust: z.enum(["inventory"]),
  summary: z.string(),
  flow_id: z.enum([""]).openapi({
    description: "Empty: this evidence is about a device and not about a flow.",
  }),
  matched_by: z.enum(["address", "mac_address"]),
  matched_value: z.string(),
  name: z.string(),
  device_type: z.string().nullable(),
  owner: z.string().nullable(),
  tags: z.array(z.string()),
}).openapi("InventoryEvidence");
export type InventoryEvidence = z.infer<typeof InventoryEvidence>;

/** Peers, services and the grid cover the asked window, up to a bounded number of flows. */
export const DeviceDetail = Device.extend({
  mac_addresses: z.array(z.string()).openapi({
    description: "Of the clients that leased its addresses by DHCP, the newest first.",
  }),
  leases: z.array(DeviceLease),
  host_names: z.array(DeviceHostName).openapi({ description: "What it calls itself, the newest first." }),
  score_history: z.array(z.object({ at: Timestamp, score: Score, reason: z.string() })),
  pattern_grid: z.array(z.object({
    weekday: z.number().int().min(1).max(7),
    hour: z.number().int().min(0).max(23),
    flow_count: z.number().int().nonnegative(),
  })),
  top_peers: z.array(DevicePeer),
  top_destinations: z.array(DevicePeer.extend({
    threat_intelligence: z.boolean().openapi({
      description: "Whether a list names it: any of `intel` is listed still.",
    }),
    intel: z.array(IntelReference).max(8).openapi({
      description:
        "Indicators that the device met there: the address, or a name that it asked the server for.",
    }),
  })),
  intel_matches: z.array(IntelMatch).max(100).openapi({
    description:
      "Indicators of threat intelligence lists that it met at any of its addresses, the newest first. They stay when a " +
      "list drops them (`listed`), as long as records do.",
  }),
  services: z.array(DeviceService),
  domains: z.array(Sighting.extend({ domain: z.string() })).openapi({
    description:
      "Registered domains that it asked for, by DNS, TLS server name or HTTP host. As all lists below: whatever is kept, " +
      "whatever the window; the newest first, at most 100 of a kind.",
  }),
  fingerprints: z.array(Sighting.extend({ kind: z.enum(FINGERPRINT_KINDS), value: z.string() })).openapi({
    description:
      "`ja3`, `ja4`, `hassh` of what it says as a client; `ja3s`, `ja4s`, `hassh_server` as a server.",
  }),
  user_agents: z.array(Sighting.extend({ value: z.string() })),
  software: z.array(Sighting.extend({ kind: z.enum(["ssh_client", "ssh_server"]), value: z.string() })),
  accounts: z.array(Sighting.extend({
    kind: z.enum(["smb_user", "kerberos_principal"]),
    value: z.string().openapi({ example: "CORP\\ana" }),
  })).openapi({ description: "Accounts that it logs in with, where the server did not refuse." }),
  logon_domains: z.array(Sighting.extend({ value: z.string() })),
  certificates: z.array(Sighting.extend({
    fingerprint: z.string().nullable(),
    subject: z.string().nullable(),
  })).openapi({ description: "Of the TLS services that it offers." }),
  ssh_host_keys: z.array(Sighting.extend({ value: z.string() })),
  telemetry_truncated: z.boolean(),
  identities: z.array(DeviceIdentity).openapi({
    description: "What identifies it at all of its addresses. Empty while the identity job is off.",
  }),
  merge_events: z.array(DeviceMerge).openapi({
    description:
      "Merges of this device with others, the newest first. A device that was merged shows as the other one: it is not " +
      "listed, and asked for by its id it answers as that one, with that one's `device_id`. Addresses, flows, VLANs and " +
      "incidents are of all of them. Empty while the identity job is off.",
  }),
  workflow_history: z.array(WorkflowEntry),
  vlans: z.array(DeviceVlan),
  observed_classification: ObservedClassification.nullable().openapi({
    description: "Null until the device was looked at, which takes about a minute.",
  }),
  inventory: z.array(InventoryEvidence).openapi({
    description:
      "The entries of the inventory with one of its addresses, or with the MAC address that DHCP last gave one of them " +
      "to. The first one names and classifies the device, where no person did.",
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
    "At least one field; a field that is absent stays as it is, `owner: null` clears the owner. Whatever is changed, the " +
    "type that the device then has counts as confirmed by a person, and neither its behaviour nor the inventory changes it " +
    "any more; nor does the inventory change a name, an owner or tags that a person gave.",
});
export type DevicePatch = z.infer<typeof DevicePatch>;
