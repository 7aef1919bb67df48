import type { ResponseDecision, ResponseStatus } from "../../../contract/review/response.ts";

/**
 * The moves of version 1: what a person may make of an action in each status. What is missing here is final, or is
 * never set by this service.
 */
const MOVES: Readonly<Partial<Record<ResponseStatus, readonly ResponseDecision[]>>> = {
  proposed: ["approved", "rejected", "cancelled"],
  approved: ["cancelled"],
};

/** Statuses in which an action waits for somebody, or may still be carried out. */
export const OPEN_STATUSES: readonly ResponseStatus[] = ["proposed", "approved"];

/** A decision that the action's status does not allow. */
export class DecisionError extends Error {
  override readonly name = "DecisionError";
  constructor(readonly status: ResponseStatus, decision: ResponseDecision) {
    const from = Object.entries(MOVES).filter(([, to]) => to.includes(decision)).map(([status]) => status);
    super(`only an action that is ${from.join(" or ")} can be ${decision}, this one is ${status}`);
  }
}

/**
 * A person's decision on an action, as the status that follows.
 *
 * @throws DecisionError
 */
export function decideAction(status: ResponseStatus, decision: ResponseDecision): ResponseStatus {
  if (MOVES[status]?.includes(decision)) return decision;
  throw new DecisionError(status, decision);
}
