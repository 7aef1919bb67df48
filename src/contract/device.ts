import { z } from "@hono/zod-openapi";
import {
  Confidence,
  Id,
  Ip,
  line,
  NullableCount,
  PageQuery,
  Score,
  Timestamp,
  TimestampInput,
  WindowQuery,
} from "./common.ts";

export const CLASSIFICATION_SOURCES = ["observed", "inventory", "human_confirmed"] as const;

/** A device as the list shows it. Score is the highest score of its open incidents, 0 without one. */
export const Device = z.object({
  device_id: Id,
  display_name: z.string(),
  device_type: z.string(),
  classification_source: z.enum(CLASSIFICATION_SOURCES),
  confidence: Confidence,
  owner: z.string().nullable(),
  tags: z.array(z.string()),
  addresses: z.array(Ip),
  vlan_ids: z.array(z.number().int()),
  first_seen: Timestamp,
  last_seen: Timestamp,
  score: Score,
  incident_count: z.number().int().nonnegative(),
  revision: z.number().int().positive(),
}).openapi("Device");
export type Device = z.infer<typeof Device>;

export const DevicePeer = z.object({
  ip: Ip,
  device_id: Id.nullable(),
  display_name: z.string().nullable(),
  flow_count: z.number().int().nonnegative(),
  bytes_out: NullableCount,
  bytes_in: NullableCount,
  first_seen: Timestamp,
  last_seen: Timestamp,
}).openapi("DevicePeer");

export const DeviceService = z.object({
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

/** Peers, services and the grid cover the asked window, up to a bounded number of flows. */
export const DeviceDetail = Device.extend({
  mac_addresses: z.array(z.string()),
  score_history: z.array(z.object({ at: Timestamp, score: Score, reason: z.string() })),
  pattern_grid: z.array(z.object({
    weekday: z.number().int().min(1).max(7),
    hour: z.number().int().min(0).max(23),
    flow_count: z.number().int().nonnegative(),
  })),
  top_peers: z.array(DevicePeer),
  top_destinations: z.array(DevicePeer.extend({ threat_intelligence: z.boolean() })),
  services: z.array(DeviceService),
  domains: z.array(z.object({ domain: z.string(), count: z.number().int(), last_seen: Timestamp })),
  fingerprints: z.array(z.object({ kind: z.string(), value: z.string(), count: z.number().int() })),
  user_agents: z.array(z.object({ value: z.string(), count: z.number().int() })),
  telemetry_truncated: z.boolean(),
  identities: z.array(z.object({
    class: z.string(),
    value: z.string(),
    source: z.string(),
    weight: z.number(),
    first_seen: Timestamp,
    last_seen: Timestamp,
    observed_days: z.number().int(),
    randomized: z.boolean(),
    confirming: z.boolean(),
  })),
  merge_events: z.array(
    z.object({ at: Timestamp, from_device_id: Id, into_device_id: Id, reason: z.string() }),
  ),
  workflow_history: z.array(WorkflowEntry),
}).openapi("DeviceDetail");
export type DeviceDetail = z.infer<typeof DeviceDetail>;

export const DeviceQuery = PageQuery.extend({
  query: line(200).optional().openapi({
    description: "Part of the name, an address, an owner or a tag.",
  }),
  vlan_id: z.string().regex(/^\d{1,4}$/, "expected an integer from 0 to 4095").transform(Number)
    .pipe(z.number().max(4095)).optional()
    .openapi({ type: "integer", minimum: 0, maximum: 4095 }),
  device_type: line(64).optional(),
  risk_min: z.string().regex(/^\d{1,3}(\.\d{1,9})?$/, "expected a score from 0 to 100").transform(Number)
    .pipe(Score).optional()
    .openapi({ type: "number", minimum: 0, maximum: 100 }),
  seen_after: TimestampInput.optional().openapi({ description: "Exclusive, on `last_seen`." }),
});
export const DeviceDetailQuery = WindowQuery;

/** At least one field; a field that is absent stays as it is, `owner: null` clears the owner. */
export const DevicePatch = z.strictObject({
  display_name: line(128).optional(),
  device_type: line(64).optional(),
  owner: line(128).nullable().optional(),
  tags: z.array(line(64)).max(32).optional(),
}).refine((patch) => Object.keys(patch).length > 0, "expected at least one field").openapi("DevicePatch");
export type DevicePatch = z.infer<typeof DevicePatch>;
