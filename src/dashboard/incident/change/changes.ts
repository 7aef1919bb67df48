import type { Incident, IncidentDetail } from "../../../contract/incident/incident.ts";
import type { IncidentStatus } from "../../../contract/record/kinds.ts";
import { ApiFailure, call } from "../../base/api.ts";
import { newKey } from "../../base/idempotency.ts";

/** What a change needs to know of an incident: the version that the person saw. */
export type Seen = Pick<Incident, "id" | "title" | "status" | "severity" | "assignee" | "revision">;

/** One change of an incident, as an action, a bulk move or an undo makes it. */
export type Change =
  | { kind: "status"; status: IncidentStatus; comment: string }
  | { kind: "assignee"; assignee: string | null };

/** An attempt that may be sent again: the same key for the same request. */
export interface Attempt {
  body: string;
  key: string;
}

/** The key of an attempt; resending the same request after a broken connection has one effect. */
export function keyFor(attempt: Attempt, request: unknown): string {
  const body = JSON.stringify(request);
  if (attempt.body !== body) Object.assign(attempt, { body, key: newKey() });
  return attempt.key;
}

const CLOSING: readonly IncidentStatus[] = ["resolved", "false_positive"];

/** Closing needs a comment. */
export function needsComment(status: IncidentStatus): boolean {
  return CLOSING.includes(status);
}

function sendChange(
  seen: Pick<Seen, "id" | "revision">,
  change: Change,
  options: { csrf: string; key: string },
): Promise<IncidentDetail> {
  const sent = { params: { incident_id: seen.id }, ...options, revision: seen.revision };
  if (change.kind === "assignee") {
    return call("assignIncident", { ...sent, body: { assignee: change.assignee } });
  }
  const { status, comment } = change;
  return call("patchIncident", { ...sent, body: comment === "" ? { status } : { status, comment } });
}

export function sendComment(
  id: string,
  comment: string,
  options: { csrf: string; key: string },
): Promise<IncidentDetail> {
  return call("commentIncident", { params: { incident_id: id }, body: { comment }, ...options });
}

/** Whether another version exists than the one that a change was based on. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 412;
}

const ATTEMPTS = 3;

/**
 * Makes a change whose reason does not depend on the analysis. New evidence raises the revision without a
 * person's doing; then the change is sent again. Another person's change of status or assignee is a conflict.
 */
export async function makeChange(seen: Seen, change: Change, csrf: string): Promise<IncidentDetail> {
  let { revision } = seen;
  for (let attempt = 1;; attempt++) {
    try {
      return await sendChange({ id: seen.id, revision }, change, { csrf, key: newKey() });
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      const now = await call("getIncident", { params: { incident_id: seen.id } });
      if (!samePersonsState(seen, now)) throw error;
      revision = now.revision;
    }
  }
}

/** Whether two versions differ at most by what the analysis found, at an unchanged severity. */
export function samePersonsState(
  a: Pick<Seen, "status" | "assignee" | "severity">,
  b: Pick<Seen, "status" | "assignee" | "severity">,
): boolean {
  return a.status === b.status && a.assignee === b.assignee && a.severity === b.severity;
}

/** Whether an incident is in the state that a change would give it. */
export function hasState(seen: Seen, change: Change): boolean {
  return change.kind === "status" ? seen.status === change.status : seen.assignee === change.assignee;
}

/** The change that takes another one back; `comment` explains it if the former status needs one. */
export function reverseOf(seen: Seen, change: Change, comment: string): Change {
  return change.kind === "assignee"
    ? { kind: "assignee", assignee: seen.assignee }
    : { kind: "status", status: seen.status, comment: needsComment(seen.status) ? comment : "" };
}

export interface Failed {
  seen: Seen;
  error: unknown;
}

/** What became of a change of many incidents. */
export interface Outcome {
  done: { before: Seen; after: IncidentDetail }[];
  /** Already in the wanted state. */
  unchanged: Seen[];
  failed: Failed[];
}

/** Sessions may sustain 100 requests per second; four at a time stay far below. */
const AT_ONCE = 4;

/** Makes one change of each incident; a failure does not stop the others. */
export async function makeChanges(all: readonly Seen[], change: Change, csrf: string): Promise<Outcome> {
  const outcome: Outcome = { done: [], unchanged: [], failed: [] };
  const waiting = [...all];
  const work = async () => {
    for (let seen = waiting.shift(); seen !== undefined; seen = waiting.shift()) {
      if (hasState(seen, change)) {
        outcome.unchanged.push(seen);
        continue;
      }
      try {
        outcome.done.push({ before: seen, after: await makeChange(seen, change, csrf) });
      } catch (error) {
        outcome.failed.push({ seen, error });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcome;
}
