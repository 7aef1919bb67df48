import { z } from "@hono/zod-openapi";
import { Confidence, Id, PageQuery, prose, Score, Timestamp, WindowQuery } from "../request/common.ts";
import { WorkflowEntry } from "../device/device.ts";
import { EvidenceItem } from "../flow/flow.ts";
import { INCIDENT_STATUSES, SEVERITIES } from "../record/kinds.ts";
import { DEVICE_ID } from "../openapi/examples/ids.ts";

const ANALYST_STATES = [
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
  title: z.string().openapi({ description: "What happened, in plain words; the strongest result leads." }),
  severity: z.enum(SEVERITIES).openapi({
    description: "By the score: `low` from 20 on, `medium` from 40, `high` from 60, `critical` from 80.",
  }),
  score: Score.openapi({
    description:
      "Grows with the results, the importance of the devices and time; never falls by itself. `score_parts` of the " +
      "detail add up to it.",
  }),
  status: z.enum(INCIDENT_STATUSES).openapi({
    description:
      "Only people change it. What belongs to a `resolved` one still raises it. A `false_positive` teaches: the same " +
      "detector, device and destination open nothing until they score 15 points more, or the status is taken back.",
  }),
  device_ids: z.array(Id).openapi({
    description: "Devices that its results name, the one it was opened about first.",
  }),
  model_ids: z.array(z.string()).openapi({ description: "Detectors that have spoken in it." }),
  summary: z.string().openapi({
    description: "Who, what, to whom, how long, what else was found, and how sure the leading result is.",
  }),
  first_seen: Timestamp.openapi({ description: "Since when what it tells goes on, by source time." }),
  last_seen: Timestamp.openapi({ description: "Newest that it tells, by source time." }),
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
  value: z.number().openapi({
    description:
      "0 to 1 of `weight`; where `weight` is 1 and this is a modifier, points that may be negative.",
  }),
  weight: z.number().openapi({ description: "Points that a full share is worth." }),
  detail: z.string().openapi({ description: "What was measured, in words." }),
}).openapi("SubScore");
export type SubScore = z.infer<typeof SubScore>;

/** Who a result names beside its device: an address, a name, a service, as far as it is one of these. */
const Destination = z.object({
  ip: z.string().nullable(),
  name: z.string().nullable().openapi({ description: "Server name or registered domain." }),
  port: z.number().int().nullable().openapi({
    description:
      "Of the service between the two, whichever side has it; null for none, several, or one not known.",
  }),
}).openapi("Destination");

/** What one detector said once. `analysis_id` names the persisted analysis result behind it. */
export const ModelResult = z.object({
  analysis_id: Id,
  model_id: z.string(),
  model_version: z.string(),
  technique: z.string().nullable().openapi({
    description: "MITRE ATT&CK technique of what was found; null where none fits.",
  }),
  at: Timestamp.openapi({ description: "Time of the newest evidence, by source time." }),
  first_seen: Timestamp.openapi({ description: "Since when what it speaks of goes on, by source time." }),
  last_seen: Timestamp,
  device_id: Id.nullable().openapi({
    description: "The device it is about; null where no end is a device of the site.",
  }),
  title: z.string().openapi({ description: "What happened, in plain words." }),
  subject: z.string().openapi({ description: "What the detector looked at, in words." }),
  destinations: z.array(Destination).openapi({
    description:
      "The other side of what was found, the most important ones; empty where it was not recorded.",
  }),
  score: Score.openapi({ description: "Sum of `sub_scores` and `modifiers`, held inside 0 to 100." }),
  confidence: Confidence.openapi({
    description: "How sure the detector is of what it says. How bad it is, the score says.",
  }),
  sub_scores: z.array(SubScore).openapi({ description: "What was found: shares of `weight` points." }),
  modifiers: z.array(SubScore).openapi({
    description: "What the circumstances add or take, in points. Only what applies is listed.",
  }),
  summary: z.string().openapi({
    description: "Who, what, to whom, how long; empty where it was not recorded.",
  }),
  explanation: z.string().openapi({
    description: "Why it is suspicious, what harmless cause there may be, and what to look at next.",
  }),
  evidence_ids: z.array(Id).openapi({
    description: "Records it rests on, oldest first: a bounded choice of the newest or most telling ones.",
  }),
}).openapi("ModelResult");
export type ModelResult = z.infer<typeof ModelResult>;

export const IncidentDetail = Incident.extend({
  evidence: z.array(EvidenceItem).openapi({
    description: "The newest 500 records that its results rest on, oldest first.",
  }),
  evidence_truncated: z.boolean().openapi({ description: "There are more than `evidence` shows." }),
  model_results: z.array(ModelResult).openapi({
    description: "What each detector said last of each thing, in the order in which they first spoke.",
  }),
  score_parts: z.array(SubScore).openapi({
    description: "What the incident's score is made of, in points; their sum is the score.",
  }),
  score_history: z.array(z.object({
    at: Timestamp,
    score: Score,
    reason: z.string().openapi({ description: "Which result moved it, in words." }),
  })).openapi({
    description: "Oldest first. Moves of less than a point are left out, unless the severity changes.",
  }),
  workflow_history: z.array(WorkflowEntry),
  analyst: z.object({
    state: z.enum(ANALYST_STATES),
    run_id: Id.nullable(),
    updated_at: Timestamp.nullable(),
    text: z.string().nullable(),
  }),
  unresolved_evidence_ids: z.array(Id).openapi({
    description: "Records that its results rest on and that are no longer kept.",
  }),
  continues: Id.nullable().openapi({
    description: "The incident that this one goes on from, which had lasted too long to take up more.",
  }),
  held_back: z.object({ results: z.number().int().nonnegative(), last_at: Timestamp.nullable() }).nullable()
    .openapi({
      description:
        "Results that the verdict `false_positive` has held back since: the same detector, device and destination. " +
        "Null for every other status.",
    }),
  device_names: z.record(z.string(), z.string()).openapi({ description: "Names of devices by their id." }),
}).openapi("IncidentDetail");
export type IncidentDetail = z.infer<typeof IncidentDetail>;

export const IncidentQuery = PageQuery.extend(WindowQuery.shape).extend({
  status: z.enum(INCIDENT_STATUSES).optional().openapi({
    description: "Exactly this status.",
    example: "open",
  }),
  severity: z.enum(SEVERITIES).optional().openapi({
    description: "Exactly this severity.",
    example: "medium",
  }),
  device_id: Id.optional().openapi({ description: "Incidents that name this device.", example: DEVICE_ID }),
  suppressed: z.enum(["true", "false"]).transform((text) => text === "true").optional().openapi({
    type: "boolean",
    example: false,
    description: "Only those that a suppression covers now, or only the others. Default: both.",
  }),
});

/** Exactly one status change plus a comment; closing needs the comment. */
export const IncidentPatch = z.strictObject({
  status: z.enum(INCIDENT_STATUSES),
  comment: prose(4000).nullable().optional(),
}).openapi("IncidentPatch", {
  description:
    "Any status may move to any other; the one that it has already is refused. Into `resolved` or `false_positive` needs a " +
    "comment, and from `open` or `investigating` is a closure, which webhooks tell of; back is a reopening.",
});
export type IncidentPatch = z.infer<typeof IncidentPatch>;
