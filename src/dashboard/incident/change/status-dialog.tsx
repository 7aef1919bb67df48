/// <reference lib="dom" />
import { type FormEvent, useId, useState } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { IncidentDetail } from "../../../contract/incident/incident.ts";
import type { IncidentStatus } from "../../../contract/record/kinds.ts";
import { usePersonName } from "../../base/people.ts";
import { incidentDetail } from "../../base/incidents.ts";
import { useSignedIn } from "../../base/session.ts";
import { ConflictDiff } from "../../ui/conflict/conflict-diff.tsx";
import { LastChange } from "../../entity/last-change.tsx";
import { useDraft } from "../../ui/draft.ts";
import { FormEnd } from "../../ui/form-end.tsx";
import { plural } from "../../ui/format.ts";
import { submitOnCtrlEnter } from "../../ui/field/submit-key.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { newKey } from "../../base/idempotency.ts";
import {
  type Change,
  isConflict,
  makeChanges,
  needsComment,
  type Outcome,
  type Seen,
  sendComment,
} from "./changes.ts";
import { conflictFields } from "./conflict-fields.ts";
import { FailureList } from "./failure-list.tsx";

interface StatusDialogProps {
  targets: readonly Seen[];
  status: IncidentStatus;
  /** After every target was changed. */
  done: (outcome: Outcome, change: Change) => void;
  cancel: () => void;
}

const SEND: Record<IncidentStatus, string> = {
  open: "Reopen",
  investigating: "Investigate",
  resolved: "Resolve",
  false_positive: "Mark as false positive",
};

/** Changes the status of one or many incidents with one comment for all. The comment survives every failure. */
export function StatusDialog({ targets, status, done, cancel }: StatusDialogProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const nameOf = usePersonName();
  const draftName = targets.length === 1 ? targets[0]!.id : "several incidents";
  const [comment, setComment] = useDraft(session.subject, `status ${draftName}`);
  const [left, setLeft] = useState(targets);
  const [theirs, setTheirs] = useState<IncidentDetail | null>(null);
  const commentId = useId();
  const change: Change = { kind: "status", status, comment: comment.trim() };

  const finish = (outcome: Outcome) => {
    setComment("");
    done(outcome, change);
  };
  const save = useMutation({
    mutationFn: async (seen: readonly Seen[]) => {
      const outcome = await makeChanges(seen, change, session.csrf_token);
      const [only] = outcome.failed;
      if (targets.length === 1 && only && isConflict(only.error)) {
        setTheirs(await client.fetchQuery({ ...incidentDetail(tenant, only.seen.id), staleTime: 0 }));
      } else setTheirs(null);
      return outcome;
    },
    onSuccess: (outcome) => {
      if (outcome.done.length > 0) void client.invalidateQueries({ queryKey: [tenant] });
      if (outcome.failed.length === 0) return finish(outcome);
      setLeft(outcome.failed.map(({ seen }) => seen));
    },
  });
  /** The other person may have set the same status: then the comment is all that is left to add. */
  const applyOnTop = async (stored: IncidentDetail) => {
    if (stored.status !== status) return save.mutate([stored]);
    if (change.comment !== "") {
      const options = { csrf: session.csrf_token, key: newKey() };
      await sendComment(stored.id, change.comment, options);
    }
    void client.invalidateQueries({ queryKey: [tenant] });
    finish({ done: [], unchanged: [stored], failed: [] });
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(left);
  };
  const required = needsComment(status);
  const others = save.data?.failed.filter(({ error }) => theirs === null || !isConflict(error)) ?? [];
  return (
    <form className="form" onSubmit={submit}>
      {targets.length === 1
        ? <Foreign text={targets[0]!.title} className="soft wrap" />
        : <p className="soft">{plural(left.length, "incident")}, one comment for all.</p>}
      <label className="field" htmlFor={commentId}>
        <span>{required ? "Comment (required)" : "Comment (optional)"}</span>
      </label>
      <textarea
        id={commentId}
        rows={4}
        maxLength={4000}
        required={required}
        value={comment}
        data-autofocus
        onChange={(event) => setComment(event.target.value)}
        onKeyDown={submitOnCtrlEnter}
      />
      {status === "false_positive" && (
        <p className="muted small">
          This closes the incident. On its page, each detector's result also takes feedback.
        </p>
      )}
      {others.length > 0 && <FailureList failed={others} />}
      {theirs === null
        ? (
          <FormEnd
            fault={save.error && `Not saved: ${save.error.message}`}
            saving={save.isPending}
            send={others.length > 0 ? `Try ${plural(left.length, "incident")} again` : SEND[status]}
            cancel={cancel}
          />
        )
        : (
          <ConflictDiff
            what="This incident"
            fields={conflictFields(targets[0]!, theirs, change, nameOf)}
            by={
              <LastChange
                stored={theirs}
                base={targets[0]!}
                nameOf={nameOf}
                otherwise="The analysis found more evidence."
              />
            }
            fault={save.error && `Not saved: ${save.error.message}`}
            saving={save.isPending}
            apply={() => void applyOnTop(theirs)}
            discard={() => {
              setComment("");
              cancel();
            }}
          />
        )}
    </form>
  );
}
