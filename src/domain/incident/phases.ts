import type { ModelResult, PhaseId } from "../../contract/incident/incident.ts";
import { type Tactic, tacticsOf } from "../../kit/attack.ts";

/** The phases in the order in which an intrusion usually goes through them. */
export const PHASES: readonly { id: PhaseId; name: string; tactics: readonly Tactic[] }[] = [
  { id: "first_sign", name: "First sign", tactics: ["reconnaissance"] },
  { id: "foothold", name: "Foothold", tactics: ["initial-access", "execution", "persistence"] },
  { id: "movement", name: "Movement", tactics: ["credential-access", "discovery", "lateral-movement"] },
  { id: "control", name: "Control", tactics: ["command-and-control"] },
  { id: "theft", name: "Theft or damage", tactics: ["collection", "exfiltration", "impact"] },
  { id: "other", name: "Other findings", tactics: [] },
];

type Finding = Pick<ModelResult, "analysis_id" | "technique" | "first_seen" | "last_seen">;

export interface Phase<F> {
  id: PhaseId;
  name: string;
  /** Times as the findings have them. */
  firstSeen: string;
  lastSeen: string;
  /** By their start, of equal ones by their id; never empty. */
  findings: F[];
}

/** The phase of a technique, by the most typical of its tactics; `other` without a known technique. */
export function phaseOf(technique: string | null): PhaseId {
  const [tactic] = technique === null ? [] : tacticsOf(technique);
  if (tactic === undefined) return "other";
  return PHASES.find(({ tactics }) => tactics.includes(tactic))!.id;
}

/**
 * Groups findings into phases: phases by their first finding, of equal ones in the usual order, and findings by their
 * start. Phases without a finding are left out. Timestamps are compared as text, which is exact for those of the API.
 */
export function phasesOf<F extends Finding>(findings: readonly F[]): Phase<F>[] {
  const sorted = findings.toSorted((a, b) =>
    compare(a.first_seen, b.first_seen) || compare(a.analysis_id, b.analysis_id)
  );
  const groups = Map.groupBy(sorted, ({ technique }) => phaseOf(technique));
  return PHASES.flatMap(({ id, name }) => {
    const own = groups.get(id);
    if (own === undefined) return [];
    const lastSeen = own.map(({ last_seen }) => last_seen).reduce((a, b) => a > b ? a : b);
    return [{ id, name, firstSeen: own[0]!.first_seen, lastSeen, findings: own }];
  }).sort((a, b) => compare(a.firstSeen, b.firstSeen));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
