// Recall, precision and the rate of false incidents, per detector and in total. Pure.

import type { CaptureOutcome, JudgedIncident } from "./judge.ts";
import { isDisturbing } from "./judge.ts";
import { MODEL_IDS } from "./models.ts";

/** What one detector, or all together, reached. Severities `medium` and higher disturb. */
export interface Figures {
  detector: string;
  /** Visible scenarios whose expected detector this is. */
  attacks: number;
  /** Those that it found itself; for all together, that any listed detector found. */
  found: number;
  /** Those found in an incident that disturbs. */
  disturbing: number;
  /** Ordinary activity that it could mistake, and did: in an incident that disturbs. */
  lookalikes: number;
  alarms: number;
  /** Disturbing incidents in which it has the highest score. */
  true: number;
  false: number;
  /** Of the false ones, those in benign captures. */
  benignFalse: number;
}

interface AllFigures {
  rows: Figures[];
  total: Figures;
  /** Days on which each device of the benign captures took part in a flow. */
  benignDays: number;
}

export function figuresOf(outcomes: readonly CaptureOutcome[]): AllFigures {
  const benign = outcomes.filter(({ verdict }) => verdict === "benign");
  return {
    rows: MODEL_IDS.map((id) => figuresFor(id, outcomes)),
    total: figuresFor(null, outcomes),
    benignDays: benign.reduce((sum, { deviceDays }) => sum + deviceDays, 0),
  };
}

/** @param id Null for all detectors together */
function figuresFor(id: string | null, outcomes: readonly CaptureOutcome[]): Figures {
  const scenarios = outcomes.flatMap((one) => one.scenarios)
    .filter(({ scenario }) => scenario.invisible === null && (id === null || scenario.detectors[0] === id));
  const found = scenarios.filter(({ found, detectors }) =>
    found !== null && (id === null || detectors.includes(id))
  );
  const lookalikes = outcomes.flatMap((one) => one.lookalikes)
    .filter(({ lookalike }) => id === null || lookalike.detectors.includes(id));
  const led = (from: readonly CaptureOutcome[], judgement: JudgedIncident["judgement"]) =>
    from.flatMap(({ incidents }) => incidents).filter((one) =>
      one.judgement === judgement && isDisturbing(one.incident.severity) &&
      (id === null || one.incident.models[0]?.modelId === id)
    ).length;
  return {
    detector: id ?? "all",
    attacks: scenarios.length,
    found: found.length,
    disturbing: found.filter(({ found }) => isDisturbing(found!.severity)).length,
    lookalikes: lookalikes.length,
    alarms:
      lookalikes.filter(({ alarm, detectors }) => alarm !== null && (id === null || detectors.includes(id)))
        .length,
    true: led(outcomes, "match"),
    false: led(outcomes, "false"),
    benignFalse: led(outcomes.filter(({ verdict }) => verdict === "benign"), "false"),
  };
}

/** Callbacks by the jitter that their scenario states, ascending. */
export function jitterFigures(
  outcomes: readonly CaptureOutcome[],
): { jitter: number; attacks: number; found: number; disturbing: number }[] {
  const scenarios = outcomes.flatMap((one) => one.scenarios).filter(({ scenario }) =>
    scenario.jitter !== undefined
  );
  const jitters = [...new Set(scenarios.map(({ scenario }) => scenario.jitter!))].sort((a, b) => a - b);
  return jitters.map((jitter) => {
    const own = scenarios.filter(({ scenario }) => scenario.jitter === jitter);
    const found = own.filter(({ found }) => found !== null);
    const disturbing = found.filter(({ found }) => isDisturbing(found!.severity));
    return { jitter, attacks: own.length, found: found.length, disturbing: disturbing.length };
  });
}

/** What was taken for something else. */
interface Confusion {
  what: string;
  /** The detector that should have found it; empty for ordinary activity. */
  expected: string;
  /** The detectors that reported it; empty if none did. */
  reported: string;
  count: number;
}

/** Attacks that other detectors found or none, then false incidents by what they are about and who leads. */
export function confusionsOf(outcomes: readonly CaptureOutcome[]): Confusion[] {
  const attacks = outcomes.flatMap(({ name, scenarios }) =>
    scenarios.filter(({ scenario, detectors }) =>
      scenario.invisible === null && !detectors.includes(scenario.detectors[0]!)
    ).map(({ scenario, detectors }) => ({
      what: `${name}: ${scenario.id}`,
      expected: scenario.detectors[0]!,
      reported: detectors.join(", "),
      count: 1,
    }))
  );
  const mistaken = new Map<string, Confusion>();
  for (const { name, incidents } of outcomes) {
    for (const { incident, judgement, because } of incidents) {
      if (judgement !== "false") continue;
      const what = `${name}: ${because.join(", ") || "other ordinary activity"}`;
      const reported = `${incident.models[0]?.modelId ?? "none"} (${incident.severity})`;
      const known = mistaken.get(`${what} ${reported}`) ?? { what, expected: "", reported, count: 0 };
      known.count++;
      mistaken.set(`${what} ${reported}`, known);
    }
  }
  return [...attacks, ...mistaken.values()];
}
