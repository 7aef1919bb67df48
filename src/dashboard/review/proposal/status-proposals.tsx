import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../../base/links.ts";
import { usePersonName } from "../../base/people.ts";
import { useSignedIn } from "../../base/session.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time/time.tsx";
import { proposalsAbout } from "../review-queries.ts";
import { proposalLink, proposedChange } from "./proposal-labels.ts";
import { ProposalTag } from "./proposal-parts.tsx";

/** The statuses that people proposed for an incident; nothing if there are none. */
export function StatusProposals({ incidentId }: { incidentId: string }) {
  const { tenant } = useSignedIn();
  const nameOf = usePersonName();
  const { data = [] } = useQuery(proposalsAbout(tenant, incidentId));
  if (data.length === 0) return null;
  return (
    <Card
      title="Proposals"
      action={<Link {...to.proposals()} className="link small">All proposals</Link>}
    >
      <ol className="response-list">
        {data.map((proposal) => (
          <li key={proposal.proposal_id} className="response-action">
            <p className="response-title">
              <Link {...proposalLink(proposal)} className="link">{proposedChange(proposal)}</Link>
              <ProposalTag proposal={proposal} />
            </p>
            <p className="soft wrap">
              <Foreign text={proposal.reason} />
            </p>
            <p className="muted small">
              <Foreign text={nameOf(proposal.created_by)} />, <Time at={proposal.created_at} />
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
