import type { IncidentStatus } from "../../contract/record/kinds.ts";

/** Statuses that close an incident. */
export const CLOSED_STATUSES: ReadonlySet<IncidentStatus> = new Set(["resolved", "false_positive"]);

interface StatusChange {
  /** The new status is a closed one; the comment explains why. */
  closing: boolean;
  /** From a closed status back to an open one; emits no event. */
  reopening: boolean;
  /**
   * Event `incident.closed`: from an open to a closed status. Switching between closed statuses emits
   * nothing.
   */
  emitsClosed: boolean;
}

/** A status change that is not allowed. */
export class StatusChangeError extends Error {
  override readonly name = "StatusChangeError";
  constructor(readonly reason: "same_status" | "comment_required", message: string) {
    super(message);
  }
}

/**
 * Checks a person's change of an incident's status. Any transition is allowed; closing requires a comment.
 *
 * @throws StatusChangeError
 */
export function changeStatus(from: IncidentStatus, to: IncidentStatus, comment: string | null): StatusChange {
  if (from === to) {
    throw new StatusChangeError(
      "same_status",
      `expected a status other than "${from}", which the incident already has`,
    );
  }
  const closing = CLOSED_STATUSES.has(to);
  const wasClosed = CLOSED_STATUSES.has(from);
  if (closing && (comment === null || comment.trim() === "")) {
    throw new StatusChangeError(
      "comment_required",
      `expected a comment, because "${to}" closes the incident`,
    );
  }
  return { closing, reopening: wasClosed && !closing, emitsClosed: closing && !wasClosed };
}
