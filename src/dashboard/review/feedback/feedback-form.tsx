/// <reference lib="dom" />
import { type FormEvent, type ReactNode, useState } from "react";
import type { FeedbackVerdict } from "../../../contract/review/feedback.ts";
import { useSignedIn } from "../../base/session.ts";
import { useDraft } from "../../ui/draft.ts";
import { CommentField } from "../../ui/field/comment-field.tsx";
import { SelectField } from "../../ui/field/select-field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { useToast } from "../../ui/toast/toast.ts";
import { useCreation } from "../../base/use-creation.ts";
import { VERDICT_ORDER, VERDICTS } from "./feedback-labels.ts";

const VERDICT_OPTIONS = VERDICT_ORDER.map((verdict) => [verdict, VERDICTS[verdict]] as const);

/** What feedback is about: an incident with a result of the detector, or one result. */
type FeedbackSubject =
  | { model_id: string; incident_id: string }
  | { model_id: string; analysis_id: string };

interface FeedbackFormProps {
  /** Null while it is not chosen. */
  subject: FeedbackSubject | null;
  verdict?: FeedbackVerdict;
  /** States or chooses the subject. */
  children: ReactNode;
  close: () => void;
}

/** A verdict on a detector's result with an optional comment. It cannot be taken back. */
export function FeedbackForm({ subject, verdict: first = "useful", children, close }: FeedbackFormProps) {
  const { session } = useSignedIn();
  const toast = useToast();
  const [verdict, setVerdict] = useState<FeedbackVerdict>(first);
  const [missing, setMissing] = useState(false);
  const about = subject === null ? "" : "analysis_id" in subject ? subject.analysis_id : subject.incident_id;
  const [comment, setComment] = useDraft(session.subject, `feedback ${about} ${subject?.model_id ?? ""}`);
  const create = useCreation("createModelFeedback", {}, (given) => {
    setComment("");
    toast({ text: `Feedback on ${given.model_id}: ${VERDICTS[given.verdict].toLowerCase()}.` });
    close();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(subject === null);
    if (subject === null) return;
    const text = comment.trim();
    create.mutate({ ...subject, verdict, comment: text === "" ? null : text });
  };
  return (
    <form className="form" onSubmit={submit}>
      {children}
      <SelectField label="Verdict" value={verdict} options={VERDICT_OPTIONS} set={setVerdict} />
      <CommentField value={comment} set={setComment} />
      <p className="soft">
        Feedback is recorded with your name, also in the activity of the incident. It changes neither the
        incident nor a score.
      </p>
      <FormEnd
        fault={missing && subject === null
          ? "Choose a detector and an incident first."
          : create.error && `Not saved: ${create.error.message}`}
        saving={create.isPending}
        send="Give feedback"
        cancel={close}
      />
    </form>
  );
}
