/// <reference lib="dom" />
import { type FormEvent, useState } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { AnalystRun } from "../../contract/analyst/analyst-run.ts";
import { ApiFailure, call } from "../base/api.ts";
import { newKey } from "../base/idempotency.ts";
import { usePersonName } from "../base/people.ts";
import { useSignedIn } from "../base/session.ts";
import { useDraft } from "../ui/draft.ts";
import { CommentField } from "../ui/field/comment-field.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { Time } from "../ui/time/time.tsx";
import { runsFor } from "./analyst-queries.ts";

/** Whether a person agrees with the answer. It is counted by the backtest and changes nothing else. */
export function RunFeedback({ run }: { run: AnalystRun }) {
  const { roles } = useSignedIn();
  const nameOf = usePersonName();
  const [choice, setChoice] = useState<boolean | null>(null);
  const { feedback } = run;
  const allowed = roles.includes("analyst");
  return (
    <section className="analyst-feedback" aria-label="Feedback">
      {feedback !== null && (
        <div role="status">
          <p className="wrap">
            <Foreign text={nameOf(feedback.by)} className="strong" />{" "}
            {feedback.agrees ? "agrees" : "disagrees"}{" "}
            <span className="muted small">
              <Time at={feedback.at} />
            </span>
          </p>
          {feedback.comment !== null && (
            <p className="wrap soft">
              <Foreign text={feedback.comment} />
            </p>
          )}
        </div>
      )}
      {allowed && (
        <div className="form-buttons analyst-choice" role="group" aria-label="Do you agree with the answer?">
          {([[true, "Agree"], [false, "Disagree"]] as const).map(([agrees, label]) => (
            <button
              key={label}
              type="button"
              className="button button-small"
              aria-pressed={choice === agrees}
              onClick={() => setChoice(choice === agrees ? null : agrees)}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      {choice !== null && (
        <FeedbackForm
          key={run.run_id}
          run={run}
          agrees={choice}
          close={() => setChoice(null)}
        />
      )}
    </section>
  );
}

interface FeedbackFormProps {
  run: AnalystRun;
  agrees: boolean;
  close: () => void;
}

function FeedbackForm({ run: { run_id, incident_id, revision }, agrees, close }: FeedbackFormProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const [comment, setComment] = useDraft(session.subject, `analyst run ${run_id}`);
  const refresh = () => client.invalidateQueries({ queryKey: runsFor(tenant, incident_id).queryKey });
  const send = useMutation({
    mutationFn: () =>
      call("giveAnalystFeedback", {
        params: { run_id },
        body: { agrees, comment: comment.trim() === "" ? null : comment.trim() },
        csrf: session.csrf_token,
        key: newKey(),
        revision,
      }),
    onSuccess: async () => {
      await refresh();
      setComment("");
      close();
    },
    onError: (error) => void (error instanceof ApiFailure && error.status === 412 && refresh()),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form className="form" onSubmit={submit} aria-label={agrees ? "Agree" : "Disagree"}>
      <CommentField value={comment} set={setComment} />
      <FormEnd
        fault={send.error && `Not saved: ${send.error.message}`}
        saving={send.isPending}
        send={agrees ? "Save agreement" : "Save disagreement"}
        cancel={close}
      />
    </form>
  );
}
