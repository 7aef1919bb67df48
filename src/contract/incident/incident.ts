import { FilterQuery } from "../search/filter.ts";
import { z } from "@hono/zod-openapi";
import {
  anyOf,
  bothWays,
  Confidence,
  FilterId,
  Id,
  line,
  PageQuery,
  prose,
  Score,
  sortOf,
  Timestamp,
  WindowQuery,
} from "../request/common.ts";
import { WorkflowHistory } from "../device/device.ts";
import { EvidenceItem } from "../flow/flow.ts";
import { INCIDENT_STATUSES, SEVERITIES } from "../record/kinds.ts";
import { ANALYST_STATES } from "../analyst/analyst-run.ts";
import { DEVICE_ID, PERSON_SUBJECT } from "../openapi/examples/ids.ts";
import { IncidentTalk } from "./talk.ts";

export const Incident = z.object({
  id: Id,
  title: z.string().openapi({ description: "What happened, according to the strongest result." }),
  severity: z.enum(SEVERITIES).openapi({
    description:
      "Derived from the score: `low` from 20, `medium` from 40, `high` from 60, `critical` from 80.",
  }),
  score: Score.openapi({
    description:
      "Depends on the results, the importance of the devices and the duration; never decreases by itself. It is the sum of " +
      "the detail's `score_parts`.",
  }),
  status: z.enum(INCIDENT_STATUSES).openapi({
    description:
      "Changed by users only. New results still raise a `resolved` incident. `false_positive` suppresses the same detector, " +
      "device and destination until they score 15 points more or the status is reverted.",
  }),
  device_ids: z.array(Id).openapi({
    description: "Devices of its results, starting with the one for which it was opened.",
  }),
  model_ids: z.array(z.string()).openapi({ description: "Detectors with results in this incident." }),
  summary: z.string().openapi({
    description:
      "Device, activity, destination, duration, further findings and the confidence of the leading result.",
  }),
  first_seen: Timestamp.openapi({ description: "Start of the reported activity, by source time." }),
  last_seen: Timestamp.openapi({ description: "Latest reported activity, by source time." }),
  assignee: z.string().nullable().openapi({
    description:
      "Subject of the person who works on it; null if unassigned. Names are in `GET /api/v1/people`.",
  }),
  revision: z.number().int().positive(),
  suppressed: z.object({ suppression_id: Id, reason: z.string(), until: Timestamp }).nullable().openapi({
    description:
      "The active suppression that covers every result of the incident. It does not affect the status.",
  }),
}).openapi("Incident");
export type Incident = z.infer<typeof Incident>;

/** An incident as events carry it. The assignee is left out: names of people do not leave the appliance. */
export const EventIncident = Incident.omit({ assignee: true });
export type EventIncident = z.infer<typeof EventIncident>;

/** A component of a score: a share (`value` 0 to 1 times `weight`) or a modifier in points. */
export const SubScore = z.object({
  name: z.string(),
  value: z.number().openapi({
    description: "Share of `weight`, 0 to 1; for a modifier, with `weight` 1, points that may be negative.",
  }),
  weight: z.number().openapi({ description: "Points for a full share." }),
  detail: z.string().openapi({ description: "Description of what was measured." }),
}).openapi("SubScore");
export type SubScore = z.infer<typeof SubScore>;

/** The other side of a result: address, name and service, as far as known. */
const Destination = z.object({
  ip: z.string().nullable(),
  name: z.string().nullable().openapi({ description: "Server name or registered domain." }),
  port: z.number().int().nullable().openapi({
    description: "Port of the service, on either side; null if none, several or unknown.",
  }),
}).openapi("Destination");

/** One result of one detector. `analysis_id` identifies the stored analysis result. */
export const ModelResult = z.object({
  analysis_id: Id,
  model_id: z.string(),
  model_version: z.string(),
  technique: z.string().nullable().openapi({
    description: "MITRE ATT&CK technique; null if none fits.",
  }),
  at: Timestamp.openapi({ description: "Time of the newest evidence, by source time." }),
  first_seen: Timestamp.openapi({ description: "Start of the activity, by source time." }),
  last_seen: Timestamp,
  device_id: Id.nullable().openapi({
    description: "The device concerned; null if no end is a device of the site.",
  }),
  title: z.string().openapi({ description: "What happened." }),
  subject: z.string().openapi({ description: "What the detector evaluated." }),
  destinations: z.array(Destination).openapi({
    description: "The most important destinations of the activity; empty if not recorded.",
  }),
  score: Score.openapi({ description: "Sum of `sub_scores` and `modifiers`, limited to 0 to 100." }),
  confidence: Confidence.openapi({
    description: "How certain the detector is of its finding. The score expresses how serious it is.",
  }),
  sub_scores: z.array(SubScore).openapi({ description: "Findings: shares of `weight` points." }),
  modifiers: z.array(SubScore).openapi({
    description: "Points added or subtracted for circumstances; only those that apply.",
  }),
  summary: z.string().openapi({
    description: "Device, activity, destination and duration; empty if not recorded.",
  }),
  explanation: z.string().openapi({
    description: "Why this is suspicious, possible benign causes, and what to check next.",
  }),
  evidence_ids: z.array(Id).openapi({
    description:
      "Supporting records, oldest first: a bounded selection of the newest or most significant ones.",
  }),
}).openapi("ModelResult");
export type ModelResult = z.infer<typeof ModelResult>;

/** Parts of the course of an intrusion, by the tactics of its techniques. */
export const PHASE_IDS = ["first_sign", "foothold", "movement", "control", "theft", "other"] as const;
export type PhaseId = (typeof PHASE_IDS)[number];

/** Results of one part of the course of an intrusion. */
export const IncidentPhase = z.object({
  phase: z.enum(PHASE_IDS),
  name: z.string(),
  first_seen: Timestamp,
  last_seen: Timestamp,
  analysis_ids: z.array(Id).openapi({ description: "Its results in `model_results`, by their start." }),
}).openapi("IncidentPhase");
export type IncidentPhase = z.infer<typeof IncidentPhase>;

export const MAX_RELATED = 20;

export const RelatedIncident = z.object({
  id: Id,
  title: z.string(),
  severity: z.enum(SEVERITIES),
  status: z.enum(INCIDENT_STATUSES),
  last_seen: Timestamp,
  reason: z.enum(["same_device", "same_destination", "same_device_and_destination"]).openapi({
    description: "What they have in common. A common campaign counts as a destination.",
  }),
}).openapi("RelatedIncident");
export type RelatedIncident = z.infer<typeof RelatedIncident>;

export const IncidentDetail = Incident.extend({
  evidence: z.array(EvidenceItem).openapi({
    description: "The newest 500 records that support its results, oldest first.",
  }),
  evidence_truncated: z.boolean().openapi({
    description:
      "Whether there are more records than in `evidence`. A campaign incident, which takes the sources beyond the bound of " +
      "new incidents per hour, links those of its first 16 sources; its summary counts all of them.",
  }),
  model_results: z.array(ModelResult).openapi({
    description: "The latest result of each detector per subject, in the order of their first results.",
  }),
  phases: z.array(IncidentPhase).openapi({
    description:
      "The results as the course of an intrusion: grouped by the tactic of their technique, phases by their first result.",
  }),
  talks: z.array(IncidentTalk).openapi({
    description:
      "Who talked to whom: the retained flows of `evidence` by source and destination, most bytes first; then destinations " +
      "that only a result names.",
  }),
  score_parts: z.array(SubScore).openapi({
    description: "Components of the incident's score, in points; their sum is the score.",
  }),
  score_history: z.array(z.object({
    at: Timestamp,
    score: Score,
    reason: z.string().openapi({ description: "The result that changed the score." }),
  })).openapi({
    description:
      "The newest 500, oldest first. Changes of less than one point are omitted unless the severity changes.",
  }),
  workflow_history: WorkflowHistory,
  analyst: z.object({
    state: z.enum(ANALYST_STATES),
    run_id: Id.nullable(),
    updated_at: Timestamp.nullable(),
    text: z.string().nullable(),
  }),
  unresolved_evidence_ids: z.array(Id).openapi({
    description: "Supporting records that are no longer retained.",
  }),
  continues: Id.nullable().openapi({
    description: "The incident that this one continues; it had reached the maximum duration.",
  }),
  held_back: z.object({ results: z.number().int().nonnegative(), last_at: Timestamp.nullable() }).nullable()
    .openapi({
      description:
        "Results held back by the status `false_positive`: those of the same detector, device and destination. Null for " +
        "any other status.",
    }),
  device_names: z.record(z.string(), z.string()).openapi({ description: "Device names by id." }),
  related: z.array(RelatedIncident).openapi({
    description:
      `At most ${MAX_RELATED} other incidents with a device or a main destination in common and activity at most a day ` +
      "apart, the worst first.",
  }),
}).openapi("IncidentDetail");
export type IncidentDetail = z.infer<typeof IncidentDetail>;

const INCIDENT_ORDERS = [
  "last_seen",
  "severity",
  "score",
  "first_seen",
  "title",
  "status",
  "assignee",
  "device",
  "detector",
] as const;
export type IncidentOrder = (typeof INCIDENT_ORDERS)[number];

/** Orders of the incident list; the first is the default. */
export const INCIDENT_SORTS = bothWays(INCIDENT_ORDERS);
export type IncidentSort = (typeof INCIDENT_SORTS)[number];

/** Incidents that an order by a text examines at most. */
export const MAX_SORTED_INCIDENTS = 100_000;

export const IncidentQuery = PageQuery.extend(WindowQuery.shape).extend({
  ...FilterQuery,
  sort: sortOf(INCIDENT_SORTS, "-first_seen", {
    more:
      "`-severity` is the order of a queue: severity, then score, then `last_seen`; `severity` is its reverse. " +
      "`last_seen` lists what was last seen before its first page. The other orders are of texts, which are compared without " +
      "the case of ASCII letters, by their first 256 characters; an unknown one comes last in both directions. `assignee` is " +
      "the name of the person, `device` the name of the first of `device_ids`, `detector` all of `model_ids`. They examine " +
      `at most ${
        MAX_SORTED_INCIDENTS.toLocaleString("en")
      } incidents of the window; if there are more, the request is ` +
      "refused (`search_too_broad`), and `details.from` states the earliest start of a window that is short enough.",
  }),
  status: anyOf(z.enum(INCIDENT_STATUSES)).openapi({
    description: "Incidents with this status; may be repeated for any of several.",
    example: ["open"],
  }),
  severity: anyOf(z.enum(SEVERITIES)).openapi({
    description: "Incidents with this severity; may be repeated for any of several.",
    example: ["medium"],
  }),
  device_id: FilterId.optional().openapi({
    description: "Incidents that involve this device.",
    example: DEVICE_ID,
  }),
  suppressed: z.enum(["true", "false"]).transform((text) => text === "true").optional().openapi({
    type: "boolean",
    example: false,
    description: "Only incidents that are currently suppressed, or only others. Default: both.",
  }),
});

/** One status change with a comment, which is required for closing. */
export const IncidentPatch = z.strictObject({
  status: z.enum(INCIDENT_STATUSES),
  comment: prose(4000).nullable().optional(),
}).openapi("IncidentPatch", {
  description:
    "Any status may change to any other; setting the current status is rejected. Changing to `resolved` or " +
    "`false_positive` requires a comment; from `open` or `investigating` this closes the incident, which is sent to " +
    "webhooks. The reverse reopens it.",
});
export type IncidentPatch = z.infer<typeof IncidentPatch>;

/** The person who works on an incident. */
export const IncidentAssignment = z.strictObject({
  assignee: line(256).nullable().openapi({
    description:
      "Subject of a person in `GET /api/v1/people`, or of the caller; null removes the assignment.",
    example: PERSON_SUBJECT,
  }),
}).openapi("IncidentAssignment", {
  description:
    "Recorded in the workflow history; raises the revision. Repeating the current assignee changes nothing.",
});

export const IncidentComment = z.strictObject({ comment: prose(4000) }).openapi("IncidentComment", {
  description: "Recorded in the workflow history. Status and revision do not change.",
});
