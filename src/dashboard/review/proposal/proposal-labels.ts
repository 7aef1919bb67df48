import type { Proposal, ProposalDecision, ProposalKind } from "../../../contract/review/proposal.ts";
import { type Target, to } from "../../base/links.ts";
import { formatLabel } from "../../ui/format.ts";

export const PROPOSAL_KIND_NAMES: Record<ProposalKind, string> = {
  classification: "Device type",
  model: "Detector",
  triage: "Incident status",
};

export const PROPOSAL_VERBS: Record<ProposalDecision, string> = { accepted: "Accept", rejected: "Reject" };

/** What follows from accepting. */
export const CONSEQUENCES: Record<ProposalKind, string> = {
  classification: "Accepting confirms the type: the device has it from then on.",
  model: "Accepting is only recorded: no detector is activated and no threshold changes.",
  triage: "Accepting is only recorded: the status of the incident does not change.",
};

/** The proposed change in words. */
export function proposedChange({ content }: Pick<Proposal, "content">): string {
  if ("device_type" in content) return `Type ${formatLabel(content.device_type).toLowerCase()}`;
  if ("incident_status" in content) return `Status ${formatLabel(content.incident_status).toLowerCase()}`;
  return content.action === "other" ? content.details : `${formatLabel(content.action)}: ${content.details}`;
}

/** The proposal in the list of those about the same object. */
export function proposalLink(
  { proposal_id, kind, target_id, status }: Pick<Proposal, "proposal_id" | "kind" | "target_id" | "status">,
): Target {
  const view = status === "proposed" ? undefined : status;
  return to.proposals({ kind, target_id, view, proposal: proposal_id });
}
