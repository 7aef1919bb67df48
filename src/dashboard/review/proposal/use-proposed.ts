import { useNavigate } from "@tanstack/react-router";
import type { Proposal } from "../../../contract/review/proposal.ts";
import { useToast } from "../../ui/toast/toast.ts";
import { proposalLink } from "./proposal-labels.ts";

/** Confirms a new proposal and offers a way to it. */
export function useProposed(): (proposal: Proposal) => void {
  const toast = useToast();
  const navigate = useNavigate();
  return (proposal) =>
    toast({
      text: `${PROPOSED[proposal.kind]} proposed.`,
      action: { label: "Open", run: () => void navigate(proposalLink(proposal)) },
    });
}

const PROPOSED: Record<Proposal["kind"], string> = {
  classification: "Device type",
  model: "Change",
  triage: "Incident status",
};
