import type { IncidentStatus } from "../../contract/record/kinds.ts";

/** Statuses that close an incident. */
export const CLOSED_STATUSES: ReadonlySet<IncidentStatus> = new Set(["resolved", "false_positive"]);

export interface StatusChange {
  /** The new status is a closed one, which the comment explains. */
  closing: boolean;
  /** From a closed status back to work; no event. */
  reopening: boolean;
  /** Event `incident.closed`: closed now and not before. A switch between the closed ones is no second closure. */
  emitsClosed: boolean;
}

/** A status change that the rules refuse. */
export class StatusChangeError extends Error {
  override readonly name = "StatusChangeError";
  constructor(readonly reason: "same_status" | "comment_required", message: string) {
    super(message);
  }
}

/**
 * A person's change of an incident's status. Any status may move to any other; into a closed one only with a
 * comment. Throws a StatusChangeError that says what was expected.
 */
export function changeStatus(from: IncidentStatus, to: IncidentStatus, comment: string | null): StatusChange {
  if (from === to) {
    throw new StatusChangeError(
      "same_status",
      `expected another status than "${from}", which it already has`,
    );
  }
  const closing = CLOSED_STATUSES.has(to);
  const wasClosed = CLOSED_STATUSES.has(from);
  if (closing && (comment === null || comment.trim() === "")) {
    throw new StatusChangeError(
      "comment_required",
      `expected a comment, since "${to}" closes the incident`,
    );
  }
  return { closing, reopening: wasClosed && !closing, emitsClosed: closing && !wasClosed };
}
