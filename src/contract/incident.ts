import { z } from "@hono/zod-openapi";
import { Confidence, Id, PageQuery, prose, Score, Timestamp, WindowQuery } from "./common.ts";
import { WorkflowEntry } from "./device.ts";
import { EvidenceItem } from "./flow.ts";
import { INCIDENT_STATUSES, SEVERITIES } from "./kinds.ts";

export const ANALYST_STATES = [
  "not_requested",
  "queued",
  "running",
  "complete",
  "failed",
  "provider_disabled",
  "budget_exhausted",
] as const;

export const Incident = z.object({
  id: Id,
  title: z.string(),
  severity: z.enum(SEVERITIES),
  score: Score,
  status: z.enum(INCIDENT_STATUSES),
  device_ids: z.array(Id),
  model_ids: z.array(z.string()),
  summary: z.string(),
  first_seen: Timestamp,
  last_seen: Timestamp,
  revision: z.number().int().positive(),
  suppressed: z.object({ suppression_id: Id, reason: z.string(), until: Timestamp }).nullable().openapi({
    description:
      "The suppression that every result of the incident lies within, while it holds. The status stays.",
  }),
}).openapi("Incident");
export type Incident = z.infer<typeof Incident>;

/** One number a score was made of: a share (`value` 0 to 1 times `weight`) or a modifier in points. */
export const SubScore = z.object({
  name: z.string(),
  value: z.number(),
  weight: z.number(),
  detail: z.string(),
}).openapi("SubScore");
export type SubScore = z.infer<typeof SubScore>;

/** Who a result names beside its device: an address, a name, a service, as far as it is one of these. */
export const Destination = z.object({
  ip: z.string().nullable(),
  name: z.string().nullable(),
  port: z.number().int().nullable(),
}).openapi("Destination");

/** What one detector said once. `analysis_id` names the persisted analysis result behind it. */
export const ModelResult = z.object({
  analysis_id: Id,
  model_id: z.string(),
  model_version: z.string(),
  technique: z.string().nullable().openapi({ description: "MITRE ATT&CK technique." }),
  at: Timestamp,
  first_seen: Timestamp.openapi({ description: "Since when what it speaks of goes on, by source time." }),
  last_seen: Timestamp,
  device_id: Id.nullable(),
  title: z.string().openapi({ description: "What happened, in plain words." }),
  subject: z.string().openapi({ description: "What the detector looked at, in words." }),
  destinations: z.array(Destination).openapi({
    description:
      "The other side of what was found, the most important ones; empty where it was not recorded.",
  }),
  score: Score,
  confidence: Confidence,
  sub_scores: z.array(SubScore),
  modifiers: z.array(SubScore),
  summary: z.string().openapi({
    description: "Who, what, to whom, how long; empty where it was not recorded.",
  }),
  explanation: z.string(),
  evidence_ids: z.array(Id),
}).openapi("ModelResult");
export type ModelResult = z.infer<typeof ModelResult>;

export const IncidentDetail = Incident.extend({
  evidence: z.array(EvidenceItem),
  evidence_truncated: z.boolean(),
  model_results: z.array(ModelResult),
  score_parts: z.array(SubScore).openapi({
    description: "What the incident's score is made of, in points; their sum is the score.",
  }),
  score_history: z.array(z.object({ at: Timestamp, score: Score, reason: z.string() })),
  workflow_history: z.array(WorkflowEntry),
  analyst: z.object({
    state: z.enum(ANALYST_STATES),
    run_id: Id.nullable(),
    updated_at: Timestamp.nullable(),
    text: z.string().nullable(),
  }),
  unresolved_evidence_ids: z.array(Id),
  continues: Id.nullable().openapi({
    description: "The incident that this one goes on from, which had lasted too long to take up more.",
  }),
  held_back: z.object({ results: z.number().int().nonnegative(), last_at: Timestamp.nullable() }).nullable()
    .openapi({
      description:
        "Results that the verdict `false_positive` has held back since: the same detector, device and destination. " +
        "Null for every other status.",
    }),
  device_names: z.record(z.string(), z.string()),
}).openapi("IncidentDetail");
export type IncidentDetail = z.infer<typeof IncidentDetail>;

export const IncidentQuery = PageQuery.extend(WindowQuery.shape).extend({
  status: z.enum(INCIDENT_STATUSES).optional(),
  severity: z.enum(SEVERITIES).optional(),
  device_id: Id.optional(),
  suppressed: z.enum(["true", "false"]).transform((text) => text === "true").optional().openapi({
    type: "boolean",
    description: "Only those that a suppression covers now, or only the others. Default: both.",
  }),
});

/** Exactly one status change plus a comment; closing needs the comment. */
export const IncidentPatch = z.strictObject({
  status: z.enum(INCIDENT_STATUSES),
  comment: prose(4000).nullable().optional(),
}).openapi("IncidentPatch");
export type IncidentPatch = z.infer<typeof IncidentPatch>;
