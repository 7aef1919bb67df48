import type { ProposalDecision, ProposalKind, ProposalStatus } from "../../../contract/review/proposal.ts";

/** What follows from a decision beyond its record. */
type DecisionEffect =
  /** The device is confirmed to have the proposed type, as by a person's own change. */
  | "confirm_classification"
  /** Nothing: models, thresholds and incidents stay as they are. */
  | "none";

/** The proposal was decided before, for good. */
export class AlreadyDecidedError extends Error {
  override readonly name = "AlreadyDecidedError";
  constructor(readonly status: ProposalStatus) {
    super(`expected a proposal that is not decided yet, this one was ${status}`);
  }
}

/**
 * A person's decision on a proposal: `proposed` becomes `accepted` or `rejected` and stays so.
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
