/// <reference lib="dom" />
import type { FormEvent } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { Proposal, ProposalDecision, ProposalDetail } from "../../../contract/review/proposal.ts";
import { getOne, write } from "../../app/api.ts";
import { usePersonName } from "../../app/people.ts";
import { useSignedIn } from "../../app/session.ts";
import { ConflictDiff } from "../../ui/conflict/conflict-diff.tsx";
import { LastChange } from "../../ui/conflict/last-change.tsx";
import { useRevisioned } from "../../ui/conflict/use-revisioned.ts";
import { useDraft } from "../../ui/draft.ts";
import { CommentField } from "../../ui/field/comment-field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { ABSENT, formatLabel } from "../../ui/format.ts";
import { Foreign } from "../../ui/names.tsx";
import { CONSEQUENCES, PROPOSAL_VERBS, proposedChange } from "./proposal-labels.ts";

interface ProposalFormProps {
  proposal: Proposal;
  decision: ProposalDecision;
  saved: (decided: Proposal) => void;
  cancel: () => void;
}

/** A decision on a proposal with an optional comment; it is final. */
export function ProposalForm({ proposal, decision, saved, cancel }: ProposalFormProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const nameOf = usePersonName();
  const path = `/api/v1/proposals/${encodeURIComponent(proposal.proposal_id)}`;
  const [comment, setComment] = useDraft(session.subject, `proposal ${proposal.proposal_id}`);
  // An accepted type changes the device too.
  const refresh = () => client.invalidateQueries({ queryKey: [tenant] });
  const form = useRevisioned<Proposal, { decision: ProposalDecision; comment?: string }, ProposalDetail>({
    current: proposal,
    read: async () => {
      void refresh();
      return await getOne<ProposalDetail>(path, {});
    },
    send: (body, options) =>
      write<ProposalDetail>("POST", `${path}/decision`, body, { csrf: session.csrf_token, ...options }),
    saved: (decided) => {
      setComment("");
      void refresh().finally(() => saved(decided));
    },
  });
  const { theirs } = form;
  const save = () => {
    const text = comment.trim();
    form.save(text === "" ? { decision } : { decision, comment: text });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save();
  };
  return (
    <form className="form" onSubmit={submit}>
      <Foreign text={proposedChange(proposal)} className="strong wrap" />
      <p className="soft">
        {decision === "accepted" ? CONSEQUENCES[proposal.kind] : "The decision is final."}
      </p>
      <CommentField value={comment} set={setComment} />
      {theirs === null
        ? (
          <FormEnd
            fault={form.error && `Not saved: ${form.error.message}`}
            saving={form.saving}
            send={`${PROPOSAL_VERBS[decision]} it`}
            cancel={cancel}
          />
        )
        : (
          <ConflictDiff
            what="This proposal"
            fields={[
              {
                label: "Status",
                base: formatLabel(form.base.status),
                theirs: formatLabel(theirs.status),
                mine: formatLabel(decision),
              },
              {
                label: "Comment",
                base: ABSENT,
                theirs: theirs.comment ?? ABSENT,
                mine: comment.trim() || ABSENT,
              },
            ]}
            by={"workflow_history" in theirs && (
              <LastChange base={form.base} stored={theirs as ProposalDetail} nameOf={nameOf} />
            )}
            fault={form.error && `Not saved: ${form.error.message}`}
            saving={form.saving}
            apply={theirs.status === "proposed" ? save : null}
            discard={cancel}
          />
        )}
    </form>
  );
}
