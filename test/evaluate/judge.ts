// Compares a capture's incidents to its labels. Pure.

import { SEVERITIES, type Severity } from "../../src/contract/record/kinds.ts";
import type { Labels, Scenario, Verdict } from "./labels.ts";
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
  /** Ids of the matched scenarios, or the reason for tolerating. */
  because: string[];
}

export interface CaptureOutcome {
  name: string;
  title: string;
  verdict: Verdict;
  scenarios: ScenarioOutcome[];
  incidents: JudgedIncident[];
}

/** False incidents of at least this severity disturb an analyst; a benign capture may have one. */
export const DISTURBING: Severity = "medium";
const MOST_DISTURBING = 1;

export function judge(
  name: string,
  { title, verdict, scenarios, tolerated }: Pick<Labels, "title" | "verdict" | "scenarios" | "tolerated">,
  seen: readonly SeenIncident[],
): CaptureOutcome {
  return {
    name,
    title,
    verdict,
    scenarios: scenarios.map((scenario) => outcomeOf(scenario, seen)),
    incidents: seen.map((one) => {
      const { text: _, ...incident } = one;
      const ids = scenarios.filter((scenario) => counts(scenario, one)).map(({ id }) => id);
      if (ids.length > 0) return { incident, judgement: "match", because: ids };
      const reasons = tolerated.filter((known) => counts(known, one)).map(({ reason }) => reason);
      if (reasons.length > 0) return { incident, judgement: "tolerated", because: reasons };
      return { incident, judgement: verdict === "unlabelled" ? "unjudged" : "false", because: [] };
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
export function shortfalls({ name, verdict, scenarios, incidents }: CaptureOutcome): string[] {
  const missed = scenarios.filter(({ scenario, found }) => scenario.invisible === null && found === null)
    .map(({ scenario }) => `${name}: ${scenario.id} is missed`);
  const disturbing =
    incidents.filter(({ judgement, incident }) => judgement === "false" && isDisturbing(incident.severity))
      .length;
  if (verdict !== "benign" || disturbing <= MOST_DISTURBING) return missed;
  return [...missed, `${name}: ${disturbing} false incidents of severity ${DISTURBING} or higher`];
}

export function isDisturbing(severity: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(DISTURBING);
}
