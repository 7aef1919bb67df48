import type { ResponseEventType } from "../../../contract/connector/event.ts";
import {
  AUTOMATIC_KINDS,
  type AutomaticKind,
  type OutcomeStatus,
  type ResponseKind,
  type ResponseMode,
} from "../../../contract/review/response.ts";

const EVENTS: Readonly<Record<OutcomeStatus, ResponseEventType>> = {
  executed: "response.executed",
  failed: "response.failed",
  reconciling: "response.failed",
  rolled_back: "response.released",
  expired: "response.released",
};

/** Statuses in which an executor may still hold resources, until a deadline. */
const MAY_HOLD: readonly OutcomeStatus[] = ["executed", "reconciling"];

interface ReportedAction {
  kind: ResponseKind;
  mode: ResponseMode;
}

/**
 * The event a report becomes; null for actions that a person proposed, and for kinds that webhooks do not report (blocked
 * destinations).
 */
export function eventOf(action: ReportedAction, status: OutcomeStatus): ResponseEventType | null {
  return isReported(action) ? EVENTS[status] : null;
}

/** Whether webhooks report the outcomes of an action. */
export function isReported<A extends ReportedAction>(action: A): action is A & { kind: AutomaticKind } {
  return action.mode === "automatic" && AUTOMATIC_KINDS.some((one) => one === action.kind);
}

/** A report that contradicts the action. */
export class OutcomeError extends Error {
  override readonly name = "OutcomeError";
  constructor(readonly field: "status" | "lease_expires_at", message: string) {
    super(message);
  }
}

/**
 * Checks whether a report can be recorded. An action cancelled after approval still accepts reports: what was
 * carried out meanwhile is a fact, and so is its release.
 *
 * @param action `approvedAt`: when it was first approved; null if it never was
 * @throws OutcomeError
 */
export function checkOutcome(
  action: { status: string; approvedAt: number | null },
  report: { status: OutcomeStatus; leaseExpiresAt: number | null },
): void {
  if (action.approvedAt === null) {
    throw new OutcomeError(
      "status",
      `the action is ${action.status} and was never approved: nothing may be carried out`,
    );
  }
  if (report.leaseExpiresAt !== null && !MAY_HOLD.includes(report.status)) {
    throw new OutcomeError("lease_expires_at", `expected only with ${MAY_HOLD.join(" and ")}`);
  }
}
