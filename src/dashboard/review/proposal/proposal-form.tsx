import { useQueryClient } from "@tanstack/react-query";
import type { Proposal, ProposalDecision } from "../../../contract/review/proposal.ts";
import { call } from "../../base/api.ts";
import { useSignedIn } from "../../base/session.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { DecisionForm } from "../decision-form.tsx";
import { CONSEQUENCES, PROPOSAL_VERBS, proposedChange } from "./proposal-labels.ts";

interface ProposalFormProps {
  proposal: Proposal;
  decision: ProposalDecision;
  saved: (decided: Proposal) => void;
  cancel: () => void;
}

/** A decision on a proposal; it is final. */
export function ProposalForm({ proposal, decision, saved, cancel }: ProposalFormProps) {
  const { tenant } = useSignedIn();
  const client = useQueryClient();
  const params = { proposal_id: proposal.proposal_id };
  return (
    <DecisionForm<Proposal, ProposalDecision>
      noun="proposal"
      current={proposal}
      draft={proposal.proposal_id}
      read={() => call("getProposal", { params })}
      send={(body, options) => call("decideProposal", { params, body, ...options })}
      decision={decision}
      submit={`${PROPOSAL_VERBS[decision]} it`}
      isPossible={(theirs) => theirs.status === "proposed"}
      // An accepted type changes the device too.
      refresh={() => client.invalidateQueries({ queryKey: [tenant] })}
      saved={saved}
      cancel={cancel}
    >
      <Foreign text={proposedChange(proposal)} className="strong wrap" />
      <p className="soft">
        {decision === "accepted" ? CONSEQUENCES[proposal.kind] : "The decision is final."}
      </p>
    </DecisionForm>
  );
}
