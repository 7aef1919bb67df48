import type { ResponseDecision, ResponseStatus } from "../../../contract/review/response.ts";

/**
 * Transitions a person can make from each status. Statuses missing here are final or never set by this
 * service.
 */
const TRANSITIONS: Readonly<Partial<Record<ResponseStatus, readonly ResponseDecision[]>>> = {
  proposed: ["approved", "rejected", "cancelled"],
  approved: ["cancelled"],
};

/** Statuses of an action that awaits a decision or may still be carried out. */
export const OPEN_STATUSES: readonly ResponseStatus[] = ["proposed", "approved"];

/** The action's status does not allow the decision. */
export class DecisionError extends Error {
  override readonly name = "DecisionError";
  constructor(readonly status: ResponseStatus, decision: ResponseDecision) {
    const from = Object.entries(TRANSITIONS).filter(([, to]) => to.includes(decision)).map(([status]) =>
      status
    );
    super(`an action must be ${from.join(" or ")} to be ${decision}; this one is ${status}`);
  }
}

/**
 * Applies a person's decision to an action and returns the resulting status.
 *
 * @throws DecisionError
 */
export function decideAction(status: ResponseStatus, decision: ResponseDecision): ResponseStatus {
  if (TRANSITIONS[status]?.includes(decision)) return decision;
  throw new DecisionError(status, decision);
}
