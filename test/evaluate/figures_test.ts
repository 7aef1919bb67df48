import assert from "node:assert/strict";
import type { Severity } from "../../src/contract/record/kinds.ts";
import { confusionsOf, figuresOf, jitterFigures } from "./figures.ts";
import { type CaptureOutcome, judge } from "./judge.ts";
import type { Lookalike, Scenario } from "./labels.ts";
import type { SeenIncident } from "./seen.ts";

function scenario(id: string, device: string, detectors: string[], jitter?: number): Scenario {
  const label = {
    id,
    text: id,
    technique: "T1071",
    howKnown: "stated" as const,
    detectors,
    devices: [device],
  };
  return { ...label, peers: [], invisible: null, ...jitter === undefined ? {} : { jitter } };
}

function seen(device: string, modelId: string, severity: Severity, text = ""): SeenIncident {
  return { title: modelId, severity, score: 50, models: [{ modelId, score: 50 }], devices: [device], text };
}

const BADGE: Lookalike = {
  id: "badge-reader",
  text: "It polls.",
  detectors: ["beacon"],
  devices: ["10.0.0.9"],
  peers: ["door.example"],
};

/** Ten attacked devices' days, and 200 of a benign office. */
function outcomes(): CaptureOutcome[] {
  const attacked = {
    title: "attacks",
    verdict: "malicious" as const,
    tolerated: [],
    lookalikes: [],
    scenarios: [
      scenario("one", "10.0.0.1", ["beacon"], 0),
      scenario("two", "10.0.0.2", ["beacon", "scan"], 50),
      scenario("three", "10.0.0.3", ["beacon"], 50),
      scenario("four", "10.0.0.4", ["scan"]),
    ],
  };
  const benign = {
    ...attacked,
    title: "office",
    verdict: "benign" as const,
    scenarios: [],
    lookalikes: [BADGE],
  };
  return [
    judge("attacks", attacked, [
      seen("10.0.0.1", "beacon", "high"),
      seen("10.0.0.2", "scan", "medium"),
      seen("10.0.0.4", "scan", "low"),
      seen("10.0.0.7", "scan", "high"),
    ], 10),
    judge("office", benign, [
      seen("10.0.0.9", "beacon", "medium", "to door.example:443"),
      seen("10.0.0.8", "beacon", "low"),
    ], 200),
  ];
}

Deno.test("figures: recall, precision and the rate of false incidents are per detector", () => {
  const { rows, total, benignDays } = figuresOf(outcomes());
  const row = (id: string) => rows.find(({ detector }) => detector === id)!;
  assert.deepEqual(row("beacon"), {
    detector: "beacon",
    attacks: 3,
    found: 1,
    disturbing: 1,
    lookalikes: 1,
    alarms: 1,
    true: 1,
    false: 1,
    benignFalse: 1,
  });
  const { attacks, found, disturbing, true: right, false: wrong, benignFalse } = row("scan");
  assert.deepEqual([attacks, found, disturbing, right, wrong, benignFalse], [1, 1, 0, 1, 1, 0]);
  assert.deepEqual([total.attacks, total.found, total.disturbing, total.true, total.false], [4, 3, 2, 2, 2]);
  assert.equal(benignDays, 200);
});

Deno.test("figures: callbacks are counted by their jitter", () => {
  assert.deepEqual(jitterFigures(outcomes()), [
    { jitter: 0, attacks: 1, found: 1, disturbing: 1 },
    { jitter: 50, attacks: 2, found: 1, disturbing: 1 },
  ]);
});

Deno.test("figures: confusions list attacks that another detector found or none, and what was mistaken", () => {
  assert.deepEqual(confusionsOf(outcomes()), [
    { what: "attacks: two", expected: "beacon", reported: "scan", count: 1 },
    { what: "attacks: three", expected: "beacon", reported: "", count: 1 },
    { what: "attacks: other ordinary activity", expected: "", reported: "scan (high)", count: 1 },
    { what: "office: badge-reader", expected: "", reported: "beacon (medium)", count: 1 },
    { what: "office: other ordinary activity", expected: "", reported: "beacon (low)", count: 1 },
  ]);
});
