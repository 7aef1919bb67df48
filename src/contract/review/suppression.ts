import { z } from "@hono/zod-openapi";
import { Id, line, PageQuery, prose, Timestamp, TimestampInput } from "../request/common.ts";
import { WorkflowEntry } from "../device/device.ts";

const SUPPRESSION_STATUSES = ["active", "expired", "revoked"] as const;
export type SuppressionStatus = (typeof SUPPRESSION_STATUSES)[number];

/** A suppression pattern. All non-null fields must match, for every destination of a result. */
const SuppressionPattern = z.object({
  source: z.string().nullable().openapi({
    description:
      "The device of a result: its id, its address, or a network that contains one of its addresses.",
    example: "10.0.12.0/24",
  }),
  destination: z.string().nullable().openapi({
    description:
      "The other side of the traffic, regardless of direction: an address, a network, or a domain including its subdomains.",
    example: "update.example.com",
  }),
  port: z.number().int().nullable().openapi({
    description: "Port of the service.",
    minimum: 0,
    maximum: 65535,
  }),
  detector: z.string().nullable().openapi({ description: "Model id.", example: "beacon" }),
}).openapi("SuppressionPattern");

const HeldBack = z.object({
  results: z.number().int().openapi({
    description: "Results that opened no incident because of the suppression.",
  }),
  incidents: z.number().int().openapi({
    description: "Incidents that it covers, or covered until it ended.",
  }),
});

export const Suppression = z.object({
  suppression_id: Id,
  pattern: SuppressionPattern,
  source_name: z.string().nullable().openapi({
    description: "Name of the device if `source` is a device id.",
  }),
  reason: z.string(),
  status: z.enum(SUPPRESSION_STATUSES).openapi({
    description: "Only `active` suppressions hold back results.",
  }),
  created_by: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_by: z.string().nullable(),
  revoked_at: Timestamp.nullable(),
  revoked_reason: z.string().nullable(),
  held_back: HeldBack,
  revision: z.number().int().positive(),
}).openapi("Suppression");
export type Suppression = z.infer<typeof Suppression>;

export const SuppressionDetail = Suppression.extend({
  workflow_history: z.array(WorkflowEntry),
}).openapi("SuppressionDetail");
export type SuppressionDetail = z.infer<typeof SuppressionDetail>;

export const SuppressionQuery = PageQuery.extend({
  status: z.enum(SUPPRESSION_STATUSES).optional().openapi({
    description: "Suppressions with this status.",
    example: "active",
  }),
});

export const SuppressionCreation = z.strictObject({
  pattern: z.strictObject({
    source: line(64).nullable().optional(),
    destination: line(253).nullable().optional(),
    port: z.number().int().min(0).max(65535).nullable().optional(),
    detector: line(64).nullable().optional(),
  }),
  reason: prose(1000),
  expires_at: TimestampInput.openapi({ description: "At most 366 days from now." }),
}).openapi("SuppressionCreation", {
  description:
    "The pattern requires at least two fields, including a source or a destination; networks at most as wide as /16 (IPv4) " +
    "or /48 (IPv6); no public suffix as domain. Matching results are stored but neither open nor raise an incident. Open " +
    "incidents whose results all match are marked immediately; their status does not change.",
});
export type SuppressionCreation = z.infer<typeof SuppressionCreation>;

export const SuppressionRevocation = z.strictObject({ reason: prose(1000) }).openapi(
  "SuppressionRevocation",
  {
    description:
      "Its incidents lose their mark. Held-back results remain without an incident until the activity is seen again.",
  },
);
