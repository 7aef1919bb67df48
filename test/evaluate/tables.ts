// Outcomes of captures, counted for the report.

import { SEVERITIES, type Severity } from "../../src/contract/record/kinds.ts";
import { type CaptureOutcome, isDisturbing, type JudgedIncident, shortfalls } from "./judge.ts";
import { MODEL_IDS } from "./models.ts";

/** The results of one detector in one capture. */
interface DetectorRow {
  detector: string;
  capture: string;
  found: { id: string; severity: Severity }[];
  /** Missed scenarios whose expected detector this is. */
  missed: string[];
  /** False incidents in which this detector had the highest score. */
  false: Severity[];
  /** The same in captures without a verdict. */
  unjudged: Severity[];
}

export interface Totals {
  captures: number;
  visible: number;
  found: number;
  missed: number;
  /** Scenarios that the records cannot show, and how many of them were found nevertheless. */
  invisible: number;
  invisibleFound: number;
  /** By severity, in captures with a verdict. */
  false: Record<Severity, number>;
  benignCaptures: number;
  benignDisturbing: number;
  shortfalls: string[];
  /** Detectors that no scenario names; the captures show only their false alarms. */
  unasked: string[];
}

/** One row per detector and capture with a result or a miss, by model, then by capture. */
export function detectorRows(outcomes: readonly CaptureOutcome[]): DetectorRow[] {
  const rows = new Map<string, DetectorRow>();
  const rowOf = (detector: string, capture: string): DetectorRow => {
    const key = `${detector} ${capture}`;
    const row = rows.get(key) ?? { detector, capture, found: [], missed: [], false: [], unjudged: [] };
    rows.set(key, row);
    return row;
  };
  for (const { name, scenarios, incidents } of outcomes) {
    for (const { scenario, found, detectors } of scenarios) {
      const { id } = scenario;
      if (found === null && scenario.invisible === null) rowOf(scenario.detectors[0]!, name).missed.push(id);
      if (found === null) continue;
      for (const detector of detectors) rowOf(detector, name).found.push({ id, severity: found.severity });
    }
    for (const { incident, judgement } of incidents) {
      if (judgement !== "false" && judgement !== "unjudged") continue;
      rowOf(leadingModel(incident), name)[judgement].push(incident.severity);
    }
  }
  const models: readonly string[] = MODEL_IDS;
  const names = outcomes.map(({ name }) => name);
  return [...rows.values()].sort((a, b) =>
    models.indexOf(a.detector) - models.indexOf(b.detector) ||
    names.indexOf(a.capture) - names.indexOf(b.capture)
  );
}

function leadingModel({ models }: JudgedIncident["incident"]): string {
  return models[0]?.modelId ?? "none";
}

export function totalsOf(outcomes: readonly CaptureOutcome[]): Totals {
  const scenarios = outcomes.flatMap((outcome) => outcome.scenarios);
  const visible = scenarios.filter(({ scenario }) => scenario.invisible === null);
  const invisible = scenarios.filter(({ scenario }) => scenario.invisible !== null);
  const found = visible.filter(({ found }) => found !== null).length;
  const benign = outcomes.filter(({ verdict }) => verdict === "benign");
  const wrong = outcomes.flatMap(falseIncidents);
  const counts = SEVERITIES.map((severity) =>
    [severity, wrong.filter(({ incident }) => incident.severity === severity).length] as const
  );
  return {
    captures: outcomes.length,
    visible: visible.length,
    found,
    missed: visible.length - found,
    invisible: invisible.length,
    invisibleFound: invisible.filter(({ found }) => found !== null).length,
    false: Object.fromEntries(counts) as Record<Severity, number>,
    benignCaptures: benign.length,
    benignDisturbing: benign.flatMap(falseIncidents).filter(({ incident }) => isDisturbing(incident.severity))
      .length,
    shortfalls: outcomes.flatMap(shortfalls),
    unasked: MODEL_IDS.filter((id) => !scenarios.some(({ scenario }) => scenario.detectors.includes(id))),
  };
}

function falseIncidents({ incidents }: CaptureOutcome): JudgedIncident[] {
  return incidents.filter(({ judgement }) => judgement === "false");
}

/** `2 medium, 1 low`, highest severity first; empty for none. */
export function countedSeverities(severities: readonly Severity[]): string {
  return SEVERITIES.toReversed().map((severity) => ({
    severity,
    count: severities.filter((one) => one === severity).length,
  })).filter(({ count }) => count > 0).map(({ severity, count }) => `${count} ${severity}`).join(", ");
}
