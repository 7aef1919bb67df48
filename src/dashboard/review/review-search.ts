import type { ProposalKind } from "../../contract/review/proposal.ts";
import type { SuppressionStatus } from "../../contract/review/suppression.ts";
import { oneOf, type Search, text } from "../base/search-params.ts";

// Repeated here, because the dashboard imports only types of the contract.
export const SUPPRESSION_ORDER = ["active", "expired", "revoked"] as const satisfies SuppressionStatus[];
export const PROPOSAL_KINDS = ["classification", "model", "triage"] as const satisfies ProposalKind[];

const REVIEW_VIEWS = ["approved", "all"] as const;
export type ReviewView = (typeof REVIEW_VIEWS)[number];
export function readReview(search: Search): { view?: ReviewView } {
  return { view: oneOf(REVIEW_VIEWS, search.view) };
}

const PROPOSAL_VIEWS = ["accepted", "rejected", "all"] as const;
export type ProposalView = (typeof PROPOSAL_VIEWS)[number];
interface ProposalSearch {
  kind?: ProposalKind;
  view?: ProposalView;
  target_id?: string;
  /** The one that is open beside the list. */
  proposal?: string;
}
export function readProposals(search: Search): ProposalSearch {
  return {
    kind: oneOf(PROPOSAL_KINDS, search.kind),
    view: oneOf(PROPOSAL_VIEWS, search.view),
    target_id: text(search.target_id),
    proposal: text(search.proposal),
  };
}

export function readFeedback(search: Search): { model_id?: string; incident_id?: string } {
  return { model_id: text(search.model_id), incident_id: text(search.incident_id) };
}

export function readSuppressions(search: Search): { status?: SuppressionStatus } {
  return { status: oneOf(SUPPRESSION_ORDER, search.status) };
}
