import { z } from "@hono/zod-openapi";
import { Id, line, PageQuery, prose, Timestamp } from "../request/common.ts";
import { INCIDENT_ID } from "../openapi/examples/ids.ts";

const FEEDBACK_VERDICTS = ["useful", "false_positive", "unclear"] as const;
export type FeedbackVerdict = (typeof FEEDBACK_VERDICTS)[number];

export const ModelFeedback = z.object({
  feedback_id: Id,
  model_id: z.string(),
  incident_id: Id.nullable().openapi({
    description: "Also where it was given about a result of an incident.",
  }),
  analysis_id: Id.nullable().openapi({
    description: "The result it was given about; null where it was about the incident.",
  }),
  verdict: z.enum(FEEDBACK_VERDICTS).openapi({
    description:
      "Whether the detector was right. `false_positive` here is recorded only: it closes no incident and teaches nothing.",
  }),
  comment: z.string().nullable(),
  created_by: z.string(),
  created_at: Timestamp,
}).openapi("ModelFeedback");
export type ModelFeedback = z.infer<typeof ModelFeedback>;

export const FeedbackQuery = PageQuery.extend({
  model_id: line(64).optional().openapi({
    description: "About this detector.",
    example: "signature-alert",
  }),
  incident_id: Id.optional().openapi({
    description: "About this incident, or a result of it.",
    example: INCIDENT_ID,
  }),
});

export const FeedbackCreation = z.strictObject({
  model_id: line(64),
  incident_id: Id.nullable().optional(),
  analysis_id: Id.nullable().optional(),
  verdict: z.enum(FEEDBACK_VERDICTS),
  comment: prose(4000).nullable().optional(),
}).refine(
  ({ incident_id, analysis_id }) => Boolean(incident_id) !== Boolean(analysis_id),
  "expected either incident_id or analysis_id",
).openapi("ModelFeedbackCreation", {
  description:
    "About an incident that the model speaks in, or about one of its results: either id. It is recorded, and " +
    "in the incident's history, too; no score and no threshold changes.",
});
export type FeedbackCreation = z.infer<typeof FeedbackCreation>;
