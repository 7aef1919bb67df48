import { z } from "@hono/zod-openapi";
import { Id, line, PageQuery, prose, Timestamp, TimestampInput } from "../request/common.ts";
import { WorkflowHistory } from "../device/device.ts";
import { Incident } from "../incident/incident.ts";
import { INCIDENT_ID } from "../openapi/examples/ids.ts";

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
  workflow_history: WorkflowHistory,
}).openapi("SuppressionDetail");
export type SuppressionDetail = z.infer<typeof SuppressionDetail>;

export const SuppressionQuery = PageQuery.extend({
  status: z.enum(SUPPRESSION_STATUSES).optional().openapi({
    description: "Suppressions with this status.",
    example: "active",
  }),
});

const PatternInput = z.strictObject({
  source: line(64).nullable().optional(),
  destination: line(253).nullable().optional(),
  port: z.number().int().min(0).max(65535).nullable().optional(),
  detector: line(64).nullable().optional(),
});

export const SuppressionCreation = z.strictObject({
  pattern: PatternInput,
  reason: prose(1000),
  expires_at: TimestampInput.openapi({ description: "At most 366 days from now." }),
}).openapi("SuppressionCreation", {
  description:
    "The pattern requires at least two fields, including a source or a destination; networks at most as wide as /16 (IPv4) " +
    "or /48 (IPv6); no public suffix as domain. Matching results are stored but neither open nor raise an incident. Open " +
    "incidents whose results all match are marked immediately; their status does not change.",
});
export type SuppressionCreation = z.infer<typeof SuppressionCreation>;

export const SuppressionPreviewRequest = z.strictObject({
  ...SuppressionCreation.shape,
  reason: SuppressionCreation.shape.reason.optional(),
  expires_at: SuppressionCreation.shape.expires_at.optional(),
  incident_id: Id.optional().openapi({
    description:
      "An incident to suppress: the answer states whether the pattern covers it, and suggests others.",
    example: INCIDENT_ID,
  }),
}).openapi("SuppressionPreviewRequest", {
  description: "As for creating the suppression; only the pattern is required.",
});

/** Incidents that a preview shows. */
export const MAX_PREVIEWED = 10;
/** Open incidents that a preview examines, the newest. */
export const MAX_EXAMINED = 5000;

export const SuppressionPreview = z.object({
  accepted: z.boolean().openapi({
    description: "Whether creating a suppression with this pattern is possible.",
  }),
  faults: z.array(z.object({ field: z.string(), message: z.string() })).openapi({
    description: "Why not; empty if it is accepted.",
  }),
  open_incidents: z.number().int().nonnegative().openapi({
    description:
      "Open incidents whose results all match; they would be marked as suppressed. 0 unless accepted.",
  }),
  results: z.number().int().nonnegative().openapi({
    description:
      "Results of open incidents that match, also of incidents with further results. 0 unless accepted.",
  }),
  truncated: z.boolean().openapi({
    description:
      `Whether there are more than ${MAX_EXAMINED} open incidents, of which only the newest were examined.`,
  }),
  first_incidents: z.array(Incident).openapi({
    description: `The newest ${MAX_PREVIEWED} incidents of \`open_incidents\`.`,
  }),
  covers_incident: z.boolean().nullable().openapi({
    description: "Whether all results of `incident_id` match; null without it.",
  }),
  suggestions: z.array(z.object({
    pattern: SuppressionPattern,
    results: z.number().int().nonnegative().openapi({ description: "Matching results of the incident." }),
    covers_incident: z.boolean().openapi({
      description: "Whether all results of the incident match, so that it would be suppressed.",
    }),
  })).openapi({
    description:
      "Patterns for `incident_id` that are accepted: those that cover it first, then the narrower ones first. Empty " +
      "without it, or if its results have too little in common.",
  }),
}).openapi("SuppressionPreview");
export type SuppressionPreview = z.infer<typeof SuppressionPreview>;

export const SuppressionRevocation = z.strictObject({ reason: prose(1000) }).openapi(
  "SuppressionRevocation",
  {
    description:
      "Its incidents lose their mark. Held-back results remain without an incident until the activity is seen again.",
  },
);
