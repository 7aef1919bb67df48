import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { FeedbackVerdict } from "../../../contract/review/feedback.ts";
import type { ModelResult } from "../../../contract/incident/incident.ts";
import { usePersonName } from "../../base/people.ts";
import { useSignedIn } from "../../base/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { Time } from "../../ui/time/time.tsx";
import { incidentFeedback } from "../review-queries.ts";
import { FeedbackForm } from "./feedback-form.tsx";
import { VERDICT_ORDER, VERDICTS } from "./feedback-labels.ts";
import { VerdictTag } from "./verdict-tag.tsx";

interface ResultFeedbackProps {
  incidentId: string;
  result: ModelResult;
}

/** Whether a detector's result was right: the verdicts of people, and the question to those who may answer. */
export function ResultFeedback({ incidentId, result }: ResultFeedbackProps) {
  const { tenant, session, roles } = useSignedIn();
  const nameOf = usePersonName();
  const { data } = useQuery(incidentFeedback(tenant, incidentId));
  const [verdict, setVerdict] = useState<FeedbackVerdict | null>(null);
  const [again, setAgain] = useState(false);
  const close = () => {
    setVerdict(null);
    setAgain(false);
  };
  const given = (data ?? []).filter(({ model_id, analysis_id }) =>
    model_id === result.model_id && (analysis_id === null || analysis_id === result.analysis_id)
  );
  const answered = given.some(({ created_by }) => created_by === session.subject);
  return (
    <div className="result-feedback small">
      {given.map(({ feedback_id, verdict, comment, created_by, created_at }) => (
        <p key={feedback_id} className="wrap">
          <VerdictTag verdict={verdict} /> by <Foreign text={nameOf(created_by)} />,{" "}
          <Time at={created_at} short />
          {comment !== null && (
            <>
              {": “"}
              <Foreign text={comment} />”
            </>
          )}
        </p>
      ))}
      {roles.includes("analyst") && (answered && !again
        ? (
          <button type="button" className="link-button" onClick={() => setAgain(true)}>
            Give another verdict
          </button>
        )
        : (
          <div className="result-question" role="group" aria-label={`Was “${result.title}” right?`}>
            <span className="soft">Was this right?</span>
            {VERDICT_ORDER.map((one) => (
              <button
                key={one}
                type="button"
                className="button button-small"
                onClick={() => setVerdict(one)}
              >
                {VERDICTS[one]}…
              </button>
            ))}
          </div>
        ))}
      <Dialog title={`Feedback on ${result.model_id}`} open={verdict !== null} close={close}>
        {verdict !== null && (
          <FeedbackForm
            subject={{ model_id: result.model_id, analysis_id: result.analysis_id }}
            verdict={verdict}
            close={close}
          >
            <Foreign text={result.title} className="strong wrap" />
          </FeedbackForm>
        )}
      </Dialog>
    </div>
  );
}
