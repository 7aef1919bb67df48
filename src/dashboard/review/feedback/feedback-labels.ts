import type { FeedbackVerdict } from "../../../contract/review/feedback.ts";

export const VERDICTS: Record<FeedbackVerdict, string> = {
  useful: "Useful",
  false_positive: "False positive",
  unclear: "Unclear",
};

/** The verdicts in the order in which they are offered. */
export const VERDICT_ORDER = ["useful", "false_positive", "unclear"] as const satisfies FeedbackVerdict[];
