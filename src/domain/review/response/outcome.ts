import type { ResponseEventType } from "../../../contract/connector/event.ts";
import {
  AUTOMATIC_KINDS,
  type AutomaticKind,
  type OutcomeStatus,
  type ResponseKind,
} from "../../../contract/review/response.ts";

const EVENTS: Readonly<Record<OutcomeStatus, ResponseEventType>> = {
  executed: "response.executed",
  failed: "response.failed",
  reconciling: "response.failed",
  rolled_back: "response.released",
  expired: "response.released",
};

/** Statuses under which an executor may still hold something, until a time. */
const MAY_HOLD: readonly OutcomeStatus[] = ["executed", "reconciling"];

/** The event that a report becomes; null where nobody outside is told: webhooks know of no blocked destinations. */
export function eventOf(kind: ResponseKind, status: OutcomeStatus): ResponseEventType | null {
  return isTold(kind) ? EVENTS[status] : null;
}

/** Whether webhooks tell of actions of this kind. */
export function isTold(kind: ResponseKind): kind is AutomaticKind {
  return AUTOMATIC_KINDS.some((one) => one === kind);
}

/** A report that cannot be true of this action. */
export class OutcomeError extends Error {
  override readonly name = "OutcomeError";
  constructor(readonly field: "status" | "lease_expires_at", message: string) {
    super(message);
  }
}

/**
 * Whether a report may be taken down. An action that was approved and then cancelled still takes reports: what was
 * carried out meanwhile is a fact, and so is its release.
 *
 * @param action `approvedAt`: when it was approved first, null where it never was
 * @throws OutcomeError
 */
export function checkOutcome(
  action: { status: string; approvedAt: number | null },
  report: { status: OutcomeStatus; leaseExpiresAt: number | null },
): void {
  if (action.approvedAt === null) {
    throw new OutcomeError(
      "status",
      `expected an action that was approved, this one is ${action.status}: nothing may be carried out`,
    );
  }
  if (report.leaseExpiresAt !== null && !MAY_HOLD.includes(report.status)) {
    throw new OutcomeError("lease_expires_at", `expected only with ${MAY_HOLD.join(" and ")}`);
  }
}
