// Compares a capture's incidents to its labels. Pure.

import { SEVERITIES, type Severity } from "../../src/contract/record/kinds.ts";
import type { Labels, Lookalike, Scenario, Verdict } from "./labels.ts";
import type { SeenIncident } from "./seen.ts";

/** The result for one scenario. */
interface ScenarioOutcome {
  scenario: Scenario;
  /** The incident of highest severity that matches; null if the scenario was missed. */
  found: { severity: Severity; title: string } | null;
  /** The scenario's detectors that have results in matching incidents. */
  detectors: string[];
}

export interface JudgedIncident {
  incident: Omit<SeenIncident, "text">;
  /**
   * `match`: matches a scenario. `tolerated`: listed as tolerated. `unjudged`: the capture has no verdict.
   * `false`: none of these.
   */
  judgement: "match" | "tolerated" | "unjudged" | "false";
  /** Ids of the matched scenarios, the reason for tolerating, or ids of the lookalikes that were mistaken. */
  because: string[];
}

/** The result for ordinary activity that resembles an attack. */
interface LookalikeOutcome {
  lookalike: Lookalike;
  /** The false incident of highest severity about it, if that is `medium` or higher. */
  alarm: { severity: Severity; title: string } | null;
  /** The models that contributed to that incident and may mistake it. */
  detectors: string[];
}

export interface CaptureOutcome {
  name: string;
  title: string;
  verdict: Verdict;
  scenarios: ScenarioOutcome[];
  incidents: JudgedIncident[];
  lookalikes: LookalikeOutcome[];
  /** Days on which each device took part in a flow, added up. */
  deviceDays: number;
}

/** False incidents of at least this severity disturb an analyst; a benign capture may have one. */
export const DISTURBING: Severity = "medium";
/** In a capture of more device-days, one per this many. */
const MOST_DISTURBING = { captures: 1, deviceDays: 100 } as const;

export function judge(
  name: string,
  labels: Pick<Labels, "title" | "verdict" | "scenarios" | "tolerated" | "lookalikes">,
  seen: readonly SeenIncident[],
  deviceDays = 0,
): CaptureOutcome {
  const { title, verdict, scenarios, tolerated, lookalikes } = labels;
  return {
    name,
    title,
    verdict,
    deviceDays,
    scenarios: scenarios.map((scenario) => outcomeOf(scenario, seen)),
    lookalikes: lookalikes.map((lookalike) => alarmOf(lookalike, labels, seen)),
    incidents: seen.map((one) => {
      const { text: _, ...incident } = one;
      const ids = scenarios.filter((scenario) => counts(scenario, one)).map(({ id }) => id);
      if (ids.length > 0) return { incident, judgement: "match", because: ids };
      const reasons = tolerated.filter((known) => counts(known, one)).map(({ reason }) => reason);
      if (reasons.length > 0) return { incident, judgement: "tolerated", because: reasons };
      if (verdict === "unlabelled") return { incident, judgement: "unjudged", because: [] };
      const mistaken = lookalikes.filter((lookalike) => counts(lookalike, one)).map(({ id }) => id);
      return { incident, judgement: "false", because: mistaken };
    }),
  };
}

function outcomeOf(scenario: Scenario, seen: readonly SeenIncident[]): ScenarioOutcome {
  const incidents = seen.filter((incident) => counts(scenario, incident));
  const [worst] = incidents.toSorted((a, b) => b.score - a.score);
  const spoke = new Set(incidents.flatMap(({ models }) => models.map(({ modelId }) => modelId)));
  return {
    scenario,
    found: worst ? { severity: worst.severity, title: worst.title } : null,
    detectors: scenario.detectors.filter((id) => spoke.has(id)),
  };
}

function alarmOf(
  lookalike: Lookalike,
  { scenarios, tolerated }: Pick<Labels, "scenarios" | "tolerated">,
  seen: readonly SeenIncident[],
): LookalikeOutcome {
  const [worst] = seen.filter((incident) =>
    isDisturbing(incident.severity) && counts(lookalike, incident) &&
    ![...scenarios, ...tolerated].some((known) => counts(known, incident))
  ).toSorted((a, b) => b.score - a.score);
  const spoke = worst?.models.map(({ modelId }) => modelId) ?? [];
  return {
    lookalike,
    alarm: worst ? { severity: worst.severity, title: worst.title } : null,
    detectors: lookalike.detectors.filter((id) => spoke.includes(id)),
  };
}

/**
 * Whether one of the detectors has a result, about one of the devices, that names one of the peers (any if
 * none are listed).
 */
function counts(
  { detectors, devices, peers }: { detectors: string[]; devices: string[]; peers: string[] },
  incident: SeenIncident,
): boolean {
  return incident.models.some(({ modelId }) => detectors.includes(modelId)) &&
    (devices.length === 0 || devices.some((address) => incident.devices.includes(address))) &&
    (peers.length === 0 || peers.some((peer) => names(incident.text, peer)));
}

/** Whether a text names this address or name, as opposed to a longer one; a name also names its domain. */
export function names(text: string, peer: string): boolean {
  const quoted = peer.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const isAddress = /^[\d.]+$|:/.test(peer);
  const before = isAddress ? "(?<![\\w.:-])" : "(?<![\\w-])";
  const after = isAddress && peer.includes(":") ? "(?![\\w:])" : "(?!\\w|-\\w|\\.\\w)";
  return new RegExp(before + quoted + after, "i").test(text);
}

/** Reasons why the outcome fails the evaluation; empty if it passes. */
export function shortfalls({ name, verdict, scenarios, incidents, deviceDays }: CaptureOutcome): string[] {
  const missed = scenarios.filter(({ scenario, found }) => scenario.invisible === null && found === null)
    .map(({ scenario }) => `${name}: ${scenario.id} is missed`);
  const disturbing =
    incidents.filter(({ judgement, incident }) => judgement === "false" && isDisturbing(incident.severity))
      .length;
  if (
    verdict !== "benign" ||
    disturbing <= Math.max(MOST_DISTURBING.captures, deviceDays / MOST_DISTURBING.deviceDays)
  ) return missed;
  return [...missed, `${name}: ${disturbing} false incidents of severity ${DISTURBING} or higher`];
}

export function isDisturbing(severity: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(DISTURBING);
}
