// When automatic mode proposes an action. It never acts by itself: each proposal waits for a person.

import { SEVERITIES, type Severity } from "../../../contract/record/kinds.ts";
import {
  AUTOMATIC_KINDS,
  type AutomaticKind,
  type ResponseKind,
  type ResponseStatus,
} from "../../../contract/review/response.ts";
import { OPEN_STATUSES } from "./action.ts";

/** Minimum incident score per kind for proposing it; a kind without a gate is never proposed. */
export type Gates = Readonly<Partial<Record<AutomaticKind, { minScore: number }>>>;

/** An action the incident already has. */
export interface EarlierAction {
  kind: ResponseKind;
  deviceId: string | null;
  status: ResponseStatus;
  /** Severity of the incident when the action was proposed or last decided. */
  severity: Severity;
}

export interface Candidate {
  kind: AutomaticKind;
  deviceId: string;
}

/**
 * The actions automatic mode proposes for an incident: each kind whose gate the score has reached, for each
 * main device. Skips a kind and device with an open action, and one a person has rejected or cancelled unless
 * the incident's severity has risen since.
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
