import { useQuery } from "@tanstack/react-query";
import type { Proposal, ProposalDecision } from "../../../contract/review/proposal.ts";
import { call } from "../../base/api.ts";
import { usePersonName } from "../../base/people.ts";
import { useSignedIn } from "../../base/session.ts";
import { History } from "../../entity/history.tsx";
import { LinkedText } from "../../entity/linked-text.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { Peek } from "../../ui/peek/peek.tsx";
import { Time } from "../../ui/time/time.tsx";
import { CONSEQUENCES, PROPOSAL_KIND_NAMES, PROPOSAL_VERBS, proposedChange } from "./proposal-labels.ts";
import { IncidentBeside } from "../response-detail.tsx";
import { ProposalTag, ProposalTarget } from "./proposal-parts.tsx";
import { Fact } from "../../ui/fact.tsx";

interface ProposalPeekProps {
  /** The active row; null shows no panel. */
  proposal: Proposal | null;
  /** Null for a person who may not decide. */
  decide: ((decision: ProposalDecision) => void) | null;
  close: () => void;
}

/** The active proposal beside the list. */
export function ProposalPeek({ proposal, decide, close }: ProposalPeekProps) {
  return (
    <Peek
      label="Proposal"
      title={proposal && PROPOSAL_KIND_NAMES[proposal.kind]}
      open={proposal !== null}
      onClose={close}
    >
      {proposal && <Essence key={proposal.proposal_id} proposal={proposal} decide={decide} />}
    </Peek>
  );
}

const CHOICES = [["accepted", "a"], ["rejected", "r"]] as const;

function Essence({ proposal, decide }: { proposal: Proposal; decide: ProposalPeekProps["decide"] }) {
  const { tenant } = useSignedIn();
  const nameOf = usePersonName();
  const { proposal_id, kind, target_id, status, reason, created_by, created_at, comment } = proposal;
  const { data } = useQuery({
    queryKey: [tenant, "proposal", proposal_id, status],
    queryFn: ({ signal }) => call("getProposal", { params: { proposal_id }, signal }),
  });
  return (
    <div className="peek-incident">
      <p className="decision-ask">
        <Foreign text={proposedChange(proposal)} className="strong wrap" />
        <ProposalTag proposal={proposal} />
      </p>
      <dl className="facts">
        <Fact name="About">
          <ProposalTarget proposal={proposal} />
        </Fact>
        <Fact name="Reason" wrap>
          <LinkedText text={reason} />
        </Fact>
        <Fact name="Proposed">
          by <Foreign text={nameOf(created_by)} />, <Time at={created_at} />
        </Fact>
        {comment !== null && (
          <Fact name="Comment" wrap>
            <LinkedText text={comment} />
          </Fact>
        )}
      </dl>
      {status === "proposed" && <p className="soft">{CONSEQUENCES[kind]}</p>}
      {status === "proposed" && decide !== null && (
        <div className="response-choices" role="group" aria-label="Decide">
          {CHOICES.map(([decision, key]) => (
            <button
              key={decision}
              type="button"
              className={decision === "accepted" ? "button button-primary" : "button"}
              onClick={() => decide(decision)}
            >
              {PROPOSAL_VERBS[decision]}… <kbd>{key}</kbd>
            </button>
          ))}
        </div>
      )}
      {status === "proposed" && decide === null && <p className="soft">An analyst decides.</p>}
      {kind === "triage" && (
        <>
          <h3>Incident</h3>
          <IncidentBeside incidentId={target_id} />
        </>
      )}
      {data && data.workflow_history.length > 0 && (
        <>
          <h3>History</h3>
          <History entries={data.workflow_history} empty="" />
        </>
      )}
    </div>
  );
}
