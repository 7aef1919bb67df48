import { z } from "@hono/zod-openapi";
import { FilterId, Id, line, PageQuery, prose, Timestamp } from "../request/common.ts";
import { INCIDENT_ID } from "../openapi/examples/ids.ts";

const FEEDBACK_VERDICTS = ["useful", "false_positive", "unclear"] as const;
export type FeedbackVerdict = (typeof FEEDBACK_VERDICTS)[number];

export const ModelFeedback = z.object({
  feedback_id: Id,
  model_id: z.string(),
  incident_id: Id.nullable().openapi({
    description: "Also set if the feedback is about a result of an incident.",
  }),
  analysis_id: Id.nullable().openapi({
    description: "The result that the feedback is about; null if it is about the incident.",
  }),
  verdict: z.enum(FEEDBACK_VERDICTS).openapi({
    description:
      "Whether the detector was right. `false_positive` is only recorded here: it neither closes an incident nor affects detection.",
  }),
  comment: z.string().nullable(),
  created_by: z.string(),
  created_at: Timestamp,
}).openapi("ModelFeedback");
export type ModelFeedback = z.infer<typeof ModelFeedback>;

export const FeedbackQuery = PageQuery.extend({
  model_id: line(64).optional().openapi({
    description: "Feedback on this detector.",
    example: "signature-alert",
  }),
  incident_id: FilterId.optional().openapi({
    description: "Feedback on this incident or one of its results.",
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
    "Feedback on an incident with results of the model, or on one result: exactly one of the two ids. It is recorded, also " +
    "in the incident's history; no score or threshold changes.",
});
export type FeedbackCreation = z.infer<typeof FeedbackCreation>;
