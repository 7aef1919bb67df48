// When automatic mode holds an action for a person. It never acts by itself.

import { SEVERITIES, type Severity } from "../../../contract/record/kinds.ts";
import {
  AUTOMATIC_KINDS,
  type AutomaticKind,
  type ResponseKind,
  type ResponseStatus,
} from "../../../contract/review/response.ts";
import { OPEN_STATUSES } from "./action.ts";

/** From which score of an incident on a kind is proposed for its devices; a kind without a gate never is. */
export type Gates = Readonly<Partial<Record<AutomaticKind, { minScore: number }>>>;

/** What is known of an action that an incident has already. */
export interface EarlierAction {
  kind: ResponseKind;
  deviceId: string | null;
  status: ResponseStatus;
  /** The incident's when it was proposed or last decided. */
  severity: Severity;
}

export interface Candidate {
  kind: AutomaticKind;
  deviceId: string;
}

/**
 * What automatic mode proposes for an incident: each kind whose gate the score has reached, for each of the devices that
 * it is about. Nothing for what is open, and nothing for what a person refused or took back, unless the incident has
 * become worse since.
 *
 * @param earlier in any order
 */
export function candidates(
  incident: { score: number; severity: Severity; mainDevices: readonly string[] },
  gates: Gates,
  earlier: readonly EarlierAction[],
): Candidate[] {
  return AUTOMATIC_KINDS.filter((kind) => incident.score >= (gates[kind]?.minScore ?? Infinity))
    .flatMap((kind) => incident.mainDevices.map((deviceId) => ({ kind, deviceId })))
    .filter(({ kind, deviceId }) =>
      earlier.every((one) =>
        one.kind !== kind || one.deviceId !== deviceId ||
        (!OPEN_STATUSES.includes(one.status) && worse(incident.severity, one.severity))
      )
    );
}

function worse(a: Severity, b: Severity): boolean {
  return SEVERITIES.indexOf(a) > SEVERITIES.indexOf(b);
}
