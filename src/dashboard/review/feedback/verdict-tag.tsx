import type { FeedbackVerdict } from "../../../contract/review/feedback.ts";
import { VERDICTS } from "./feedback-labels.ts";

export function VerdictTag({ verdict }: { verdict: FeedbackVerdict }) {
  return (
    <span className={`tag feedback-${verdict}`}>
      <span className="tag-dot" aria-hidden="true" />
      {VERDICTS[verdict]}
    </span>
  );
}
