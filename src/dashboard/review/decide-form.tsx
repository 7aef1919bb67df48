/// <reference lib="dom" />
import { type FormEvent } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { ResponseAction, ResponseDecision } from "../../contract/review/response.ts";
import { getOne, write } from "../app/api.ts";
import { usePersonName } from "../app/people.ts";
import { useSignedIn } from "../app/session.ts";
import { ConflictDiff } from "../ui/conflict/conflict-diff.tsx";
import { LastChange } from "../ui/conflict/last-change.tsx";
import { useRevisioned } from "../ui/conflict/use-revisioned.ts";
import { useDraft } from "../ui/draft.ts";
import { CommentField } from "../ui/field/comment-field.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { ABSENT, formatLabel } from "../ui/format.ts";
import { Foreign } from "../ui/names.tsx";
import { choicesOf, DECISION_VERBS, KIND_NAMES, outcomeLabel, targetName } from "./response-labels.ts";

/** Queries that show actions. */
const QUERIES = ["response-actions", "response-action", "/api/v1/response-actions"];

interface DecideFormProps {
  action: ResponseAction;
  decision: ResponseDecision;
  saved: (action: ResponseAction) => void;
  cancel: () => void;
}

/** A decision on an action with an optional comment. */
export function DecideForm({ action, decision, saved, cancel }: DecideFormProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const nameOf = usePersonName();
  const path = `/api/v1/response-actions/${encodeURIComponent(action.action_id)}`;
  const [comment, setComment] = useDraft(session.subject, `decision ${action.action_id}`);
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [owner, what] }) => owner === tenant && QUERIES.includes(String(what)),
    });
  const form = useRevisioned({
    current: action,
    read: async () => {
      void refresh();
      return await getOne<ResponseAction>(path, {});
    },
    send: (body: { decision: ResponseDecision; comment?: string }, options) =>
      write<ResponseAction>("POST", `${path}/decision`, body, { csrf: session.csrf_token, ...options }),
    saved: (decided) => {
      setComment("");
      // Reads the list again before the form closes, so that the action is never shown undecided.
      void refresh().finally(() => saved(decided));
    },
  });
  const { base, theirs } = form;

  const save = () => {
    const text = comment.trim();
    form.save(text === "" ? { decision } : { decision, comment: text });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save();
  };
  const outcome = ({ outcome }: ResponseAction) => outcome === null ? ABSENT : outcomeLabel(outcome.status);
  return (
    <form className="form" onSubmit={submit}>
      <p className="wrap">
        {KIND_NAMES[action.kind]} <Foreign text={targetName(action) ?? ""} className="strong" />
      </p>
      <p className="soft">The decision is recorded. The appliance does not execute actions.</p>
      <CommentField value={comment} set={setComment} />
      {theirs === null
        ? (
          <FormEnd
            fault={form.error && `Not saved: ${form.error.message}`}
            saving={form.saving}
            send={`${DECISION_VERBS[decision]} it`}
            cancel={cancel}
          />
        )
        : (
          <ConflictDiff
            what="This action"
            fields={[
              {
                label: "Status",
                base: formatLabel(base.status),
                theirs: formatLabel(theirs.status),
                mine: formatLabel(decision),
              },
              { label: "Outcome", base: outcome(base), theirs: outcome(theirs), mine: null },
              {
                label: "Comment",
                base: ABSENT,
                theirs: theirs.comment ?? ABSENT,
                mine: comment.trim() || ABSENT,
              },
            ]}
            by={<LastChange base={base} stored={theirs} nameOf={nameOf} />}
            fault={form.error && `Not saved: ${form.error.message}`}
            saving={form.saving}
            apply={choicesOf(theirs).includes(decision) ? save : null}
            discard={cancel}
          />
        )}
    </form>
  );
}
