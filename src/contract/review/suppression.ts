import { z } from "@hono/zod-openapi";
import { Id, line, PageQuery, prose, Timestamp, TimestampInput } from "../request/common.ts";
import { WorkflowEntry } from "../device/device.ts";

const SUPPRESSION_STATUSES = ["active", "expired", "revoked"] as const;
export type SuppressionStatus = (typeof SUPPRESSION_STATUSES)[number];

/** What is accepted. All that is not null has to hold; each destination of a result has to lie within it. */
const SuppressionPattern = z.object({
  source: z.string().nullable().openapi({
    description:
      "The device that a result is about: its id, its address, or a network with one of its addresses.",
    example: "10.0.12.0/24",
  }),
  destination: z.string().nullable().openapi({
    description:
      "The other side of its traffic, whoever began it: an address, a network, or a domain with all names below it.",
    example: "update.example.com",
  }),
  port: z.number().int().nullable().openapi({
    description: "Port of the service between them.",
    minimum: 0,
    maximum: 65535,
  }),
  detector: z.string().nullable().openapi({ description: "Model id.", example: "beacon" }),
}).openapi("SuppressionPattern");

const HeldBack = z.object({
  results: z.number().int().openapi({
    description: "Results that came while it held and opened no incident.",
  }),
  incidents: z.number().int().openapi({
    description: "Incidents that it covers, or covered until it ended.",
  }),
});

export const Suppression = z.object({
  suppression_id: Id,
  pattern: SuppressionPattern,
  source_name: z.string().nullable().openapi({ description: "Name of the device where `source` is one." }),
  reason: z.string(),
  status: z.enum(SUPPRESSION_STATUSES).openapi({
    description: "Only an `active` one holds anything back.",
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
    description: "Exactly this status.",
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
    "At least two fields of the pattern, one of them a source or a destination; networks no wider than /16 (IPv4) or " +
    "/48 (IPv6); no domain below which anybody can register names. A result that matches is kept and opens or raises " +
    "no incident. Open incidents of which every result matches are marked at once; their status stays.",
});
export type SuppressionCreation = z.infer<typeof SuppressionCreation>;

export const SuppressionRevocation = z.strictObject({ reason: prose(1000) }).openapi(
  "SuppressionRevocation",
  {
    description:
      "Its incidents lose their mark. What it held back stays without an incident until it is seen again.",
  },
);
