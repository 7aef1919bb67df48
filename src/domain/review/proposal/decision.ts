import type { ProposalDecision, ProposalKind, ProposalStatus } from "../../../contract/review/proposal.ts";

/** The effect of a decision beyond its record. */
type DecisionEffect =
  /** Confirm the proposed type on the device, like a manual change. */
  | "confirm_classification"
  /** None: models, thresholds and incidents stay as they are. */
  | "none";

/** The proposal has already been decided; decisions are final. */
export class AlreadyDecidedError extends Error {
  override readonly name = "AlreadyDecidedError";
  constructor(readonly status: ProposalStatus) {
    super(`the proposal has already been ${status}`);
  }
}

/**
 * Applies a person's final decision to a proposal (`proposed` becomes `accepted` or `rejected`) and returns
 * its effect.
 *
 * @throws AlreadyDecidedError
 */
export function decide(
  proposal: { kind: ProposalKind; status: ProposalStatus },
  decision: ProposalDecision,
): DecisionEffect {
  if (proposal.status !== "proposed") throw new AlreadyDecidedError(proposal.status);
  return decision === "accepted" && proposal.kind === "classification" ? "confirm_classification" : "none";
}
