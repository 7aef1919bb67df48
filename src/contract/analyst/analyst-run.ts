import { z } from "@hono/zod-openapi";
import { Confidence, FilterId, Id, PageQuery, prose, Timestamp } from "../request/common.ts";
import { INCIDENT_STATUSES } from "../record/kinds.ts";
import { INCIDENT_ID } from "../openapi/examples/ids.ts";

/** States of the analyst object of an incident. A run has all but the first. */
export const ANALYST_STATES = [
  "not_requested",
  "queued",
  "running",
  "complete",
  "failed",
  "provider_disabled",
  "budget_exhausted",
] as const;
type AnalystState = (typeof ANALYST_STATES)[number];

const RUN_STATES = [
  "queued",
  "running",
  "complete",
  "failed",
  "provider_disabled",
  "budget_exhausted",
] as const satisfies readonly AnalystState[];
export type RunState = (typeof RUN_STATES)[number];

/** Why a run ended without an answer. The first five are error codes of the interface. */
const RUN_ERRORS = [
  "provider_disabled",
  "budget_exhausted",
  "provider_rate_limited",
  "provider_unavailable",
  "provider_response_invalid",
  "cancelled",
  "interrupted",
] as const;
export type RunError = (typeof RUN_ERRORS)[number];

export const ASSESSMENTS = ["malicious", "suspicious", "benign", "inconclusive"] as const;
export type Assessment = (typeof ASSESSMENTS)[number];

/** What may be sent as it is; the rest is replaced by placeholders or left out. */
export const SENT_PARTS = ["names", "addresses", "payloads"] as const;
export type SentPart = (typeof SENT_PARTS)[number];

const Microusd = z.number().int().nonnegative().openapi({ description: "Millionths of a US dollar." });
const Tokens = z.number().int().nonnegative();

const Suggestion = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("search"),
    filter: z.string().openapi({ description: "Text form of a filter that was parsed without fault." }),
    reason: z.string(),
  }),
  z.object({ kind: z.literal("status"), status: z.enum(INCIDENT_STATUSES), reason: z.string() }),
]);

/** The validated answer of a model: untrusted text. */
export const AnalystAnswer = z.object({
  assessment: z.enum(ASSESSMENTS),
  confidence: Confidence.openapi({ description: "As the model states it; not calibrated." }),
  summary: z.string(),
  reasoning: z.array(z.object({
    claim: z.string(),
    evidence_ids: z.array(Id).min(1).openapi({
      description:
        "Evidence that was sent with the request; the answer is refused if it cites anything else.",
    }),
  })),
  next_steps: z.array(z.string()),
  suggestion: Suggestion.nullable().openapi({
    description: "A proposal of the model. The service does nothing with it; a person may.",
  }),
}).openapi("AnalystAnswer", {
  description:
    "Text of a model, which may be wrong or manipulated by what it read. It never changes a score, a status, a threshold or " +
    "a query.",
});
export type AnalystAnswer = z.infer<typeof AnalystAnswer>;

export const AnalystModel = z.object({
  provider: z.string().openapi({ description: "The id in analyst.yaml.", example: "local" }),
  model: z.string().openapi({ example: "llama3.1" }),
  prompt_version: z.string().openapi({ example: "1" }),
}).openapi("AnalystModel");

export const AnalystCost = z.object({
  input_tokens: Tokens.nullable().openapi({ description: "As the provider reported; null if unknown." }),
  output_tokens: Tokens.nullable(),
  reserved_microusd: Microusd.openapi({
    description:
      "The worst case that was reserved before the call; 0 if nothing is reserved. It stays reserved until the end of the UTC " +
      "day if the provider did not report what the call cost.",
  }),
  spent_microusd: Microusd.nullable().openapi({ description: "Null as long as the cost is unknown." }),
}).openapi("AnalystCost");

const AnalystFeedback = z.object({
  agrees: z.boolean(),
  comment: z.string().nullable(),
  by: z.string().openapi({ description: "Subject of the person." }),
  at: Timestamp,
}).openapi("AnalystFeedback");

/** A run in a list: without the texts. */
export const AnalystRun = z.object({
  run_id: Id,
  incident_id: Id,
  incident_revision: z.number().int().positive().openapi({
    description: "Revision of the incident that was sent.",
  }),
  state: z.enum(RUN_STATES).openapi({
    description:
      "`queued`, then `running`, then `complete` or `failed`. A queued run becomes `provider_disabled` if the tenant has no " +
      "provider any more, and `budget_exhausted` if the worst case does not fit into what is left of the day's budget. " +
      "Cancelling makes it `failed`.",
  }),
  error: z.object({ code: z.enum(RUN_ERRORS), message: z.string() }).nullable().openapi({
    description: "Why there is no answer; null unless the run ended without one.",
  }),
  requested_by: z.string().openapi({ description: "Subject of the person." }),
  requested_at: Timestamp,
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
  model: AnalystModel,
  cost: AnalystCost,
  assessment: z.enum(ASSESSMENTS).nullable(),
  feedback: AnalystFeedback.nullable(),
  revision: z.number().int().positive(),
}).openapi("AnalystRun");
export type AnalystRun = z.infer<typeof AnalystRun>;

/** The exact texts of a request. */
export const SentText = z.object({
  system: z.string().openapi({ description: "Instructions; the same for each run of a prompt version." }),
  user: z.string().openapi({ description: "The incident, as typed and truncated fields in JSON." }),
}).openapi("AnalystSentText");
export type SentText = z.infer<typeof SentText>;

export const AnalystRunDetail = AnalystRun.extend({
  answer: AnalystAnswer.nullable(),
  sent: SentText,
  sent_parts: z.array(z.enum(SENT_PARTS)).openapi({
    description: "What was sent as it is, by analyst.yaml. Other names and addresses are placeholders.",
  }),
}).openapi("AnalystRunDetail");
export type AnalystRunDetail = z.infer<typeof AnalystRunDetail>;

export const AnalystBudget = z.object({
  date: z.string().openapi({ description: "The UTC day.", example: "2026-01-31" }),
  limit_microusd: Microusd,
  reserved_microusd: Microusd,
  spent_microusd: Microusd,
}).openapi("AnalystBudget");
export type AnalystBudget = z.infer<typeof AnalystBudget>;

/** What a call would send and cost. */
export const AnalystCallPreview = z.object({
  model: AnalystModel,
  sent: SentText,
  sent_parts: z.array(z.enum(SENT_PARTS)),
  placeholders: z.number().int().nonnegative().openapi({
    description: "Number of names and addresses that are replaced by placeholders.",
  }),
  estimated_input_tokens: Tokens,
  max_output_tokens: Tokens,
  estimated_microusd: Microusd.openapi({ description: "The usual cost; an estimate." }),
  worst_microusd: Microusd.openapi({
    description: "The most that it can cost; it is reserved before the call.",
  }),
  budget: AnalystBudget,
}).openapi("AnalystCallPreview");
export type AnalystCallPreview = z.infer<typeof AnalystCallPreview>;

/** What a run would send and cost. */
export const AnalystRunPreview = AnalystCallPreview.extend({
  evidence_ids: z.array(Id).openapi({
    description: "The evidence that is sent, and that the answer may cite.",
  }),
  evidence_omitted: z.number().int().nonnegative().openapi({
    description: "Evidence of the incident that does not fit into `max_input_tokens`.",
  }),
}).openapi("AnalystRunPreview");
export type AnalystRunPreview = z.infer<typeof AnalystRunPreview>;

export const AnalystRunQuery = PageQuery.extend({
  incident_id: FilterId.optional().openapi({ description: "Runs for this incident.", example: INCIDENT_ID }),
  state: z.enum(RUN_STATES).optional().openapi({ description: "Runs in this state.", example: "complete" }),
});

export const AnalystRunCreation = z.strictObject({}).openapi("AnalystRunCreation");

export const AnalystRunCancellation = z.strictObject({}).openapi("AnalystRunCancellation");

export const AnalystFeedbackBody = z.strictObject({
  agrees: z.boolean(),
  comment: prose(4000).nullable().optional(),
}).openapi("AnalystFeedbackBody");
