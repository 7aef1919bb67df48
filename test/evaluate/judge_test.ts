import assert from "node:assert/strict";
import type { Severity } from "../../src/contract/record/kinds.ts";
import { judge, names, shortfalls } from "./judge.ts";
import type { Scenario, Tolerated } from "./labels.ts";
import { asMarkdown, asText } from "./report.ts";
import type { SeenIncident } from "./seen.ts";
import { countedSeverities, detectorRows, totalsOf } from "./tables.ts";

const C2: Scenario = {
  id: "c2",
  text: "A beacon.",
  technique: "T1071.001",
  howKnown: "stated",
  detectors: ["beacon", "certificate"],
  devices: ["10.0.0.1"],
  peers: ["192.0.2.6", "192.0.2.7"],
  invisible: null,
};

function seen(severity: Severity, change: Partial<SeenIncident> = {}): SeenIncident {
  return {
    title: "Beaconing from 10.0.0.1",
    severity,
    score: { info: 10, low: 30, medium: 50, high: 70, critical: 90 }[severity],
    models: [{ modelId: "beacon", score: 50 }],
    devices: ["10.0.0.1"],
    text: "Beaconing from 10.0.0.1 to 192.0.2.7:443.",
    ...change,
  };
}

function labels(change: { scenarios?: Scenario[]; tolerated?: Tolerated[] } = {}) {
  return {
    title: "A capture",
    verdict: "malicious" as const,
    scenarios: [C2],
    tolerated: [],
    lookalikes: [],
    ...change,
  };
}

Deno.test("an incident that matches detector, device and peer finds the scenario; the highest severity is shown", () => {
  const outcome = judge("one", labels(), [seen("low"), seen("high", { title: "worse" }), seen("medium")]);
  assert.deepEqual(outcome.scenarios[0]!.found, { severity: "high", title: "worse" });
  assert.deepEqual(outcome.scenarios[0]!.detectors, ["beacon"]);
  assert.deepEqual(outcome.incidents.map(({ judgement }) => judgement), ["match", "match", "match"]);
  assert.deepEqual(shortfalls(outcome), []);
});

Deno.test("without a match of detector, device and peer the incident is false and the scenario missed", () => {
  const wrong: Partial<SeenIncident>[] = [
    { models: [{ modelId: "scan", score: 90 }] },
    { devices: ["10.0.0.2"] },
    { devices: [] },
    { text: "Beaconing from 10.0.0.1 to 192.0.2.70:443" },
  ];
  for (const change of wrong) {
    const outcome = judge("one", labels(), [seen("high", change)]);
    assert.equal(outcome.scenarios[0]!.found, null, JSON.stringify(change));
    assert.equal(outcome.incidents[0]!.judgement, "false", JSON.stringify(change));
    assert.deepEqual(shortfalls(outcome), ["one: c2 is missed"]);
  }
});

Deno.test("any model of an incident and any address may match", () => {
  const models = [{ modelId: "scan", score: 90 }, { modelId: "certificate", score: 20 }];
  const scenario = { ...C2, devices: ["10.0.0.9", "10.0.0.1"], peers: [] };
  const outcome = judge("one", labels({ scenarios: [scenario] }), [seen("low", { models, text: "" })]);
  assert.deepEqual(outcome.scenarios[0]!.detectors, ["certificate"]);
});

Deno.test("an invisible scenario may be missed, and is counted if found", () => {
  const hidden = labels({ scenarios: [{ ...C2, invisible: "too short" }] });
  const missed = judge("one", hidden, []);
  const found = judge("two", hidden, [seen("low")]);
  assert.deepEqual(shortfalls(missed), []);
  const { visible, missed: count, invisible, invisibleFound } = totalsOf([missed, found]);
  assert.deepEqual({ visible, count, invisible, invisibleFound }, {
    visible: 0,
    count: 0,
    invisible: 2,
    invisibleFound: 1,
  });
});

Deno.test("a tolerated incident is not false, one of an unlabelled capture is unjudged", () => {
  const tolerated: Tolerated[] = [{
    detectors: ["certificate"],
    devices: [],
    peers: [],
    reason: "made so",
  }];
  const certificate = seen("high", { models: [{ modelId: "certificate", score: 70 }] });
  const benign = { ...labels({ scenarios: [], tolerated }), verdict: "benign" as const };
  const [first, second] = judge("one", benign, [certificate, seen("low")]).incidents;
  assert.deepEqual([first!.judgement, first!.because], ["tolerated", ["made so"]]);
  assert.equal(second!.judgement, "false");
  const unlabelled = { ...labels({ scenarios: [] }), verdict: "unlabelled" as const };
  assert.equal(judge("one", unlabelled, [seen("high")]).incidents[0]!.judgement, "unjudged");
});

Deno.test("a benign capture may have one false incident of medium or higher, and any number below", () => {
  const benign = { ...labels({ scenarios: [] }), verdict: "benign" as const };
  const quiet = judge("one", benign, [seen("medium"), seen("low"), seen("low"), seen("info")]);
  assert.deepEqual(shortfalls(quiet), []);
  const loud = judge("one", benign, [seen("medium"), seen("critical")]);
  assert.deepEqual(shortfalls(loud), ["one: 2 false incidents of severity medium or higher"]);
  // In a malicious capture false incidents are counted, but do not fail it.
  const malicious = judge("two", labels(), [seen("high"), seen("high", { devices: [] })]);
  assert.deepEqual(shortfalls(malicious), []);
  assert.deepEqual(totalsOf([loud, malicious]).false, { info: 0, low: 0, medium: 1, high: 1, critical: 1 });
  assert.equal(totalsOf([loud, malicious]).benignDisturbing, 2);
});

Deno.test("the table has a row for each detector and capture with a result or a miss", () => {
  const scan = seen("low", { devices: ["10.0.0.5"], models: [{ modelId: "scan", score: 30 }] });
  const outcomes = [
    judge("b", labels(), [seen("high"), scan, scan]),
    judge("a", labels(), []),
    judge("c", { ...labels({ scenarios: [] }), verdict: "unlabelled" }, [seen("medium")]),
  ];
  const rows = detectorRows(outcomes);
  assert.deepEqual(rows.map(({ detector, capture }) => `${detector} ${capture}`), [
    "beacon b",
    "beacon a",
    "beacon c",
    "scan b",
  ]);
  assert.deepEqual(rows[0]!.found, [{ id: "c2", severity: "high" }]);
  assert.deepEqual(rows[1]!.missed, ["c2"]);
  assert.deepEqual(rows[2]!.unjudged, ["medium"]);
  assert.deepEqual(rows[3]!.false, ["low", "low"]);
  const text = asText(outcomes, { all: false });
  assert.match(text, /^ {2}beacon +a +c2$/m);
  assert.match(text, /^FALLS SHORT {2}a: c2 is missed$/m);
  assert.ok(asMarkdown(outcomes, { all: true }).includes("\n| scan | b |  |  | 2 low |  |\n"));
});

Deno.test("severities are counted with the worst first", () => {
  assert.equal(countedSeverities(["low", "high", "low"]), "1 high, 2 low");
  assert.equal(countedSeverities([]), "");
});

Deno.test("a text that has a longer address or name does not name the shorter one", () => {
  const named: [text: string, peer: string][] = [
    ["to 192.0.2.7:443", "192.0.2.7"],
    ["to 192.0.2.7.", "192.0.2.7"],
    ["ask (192.0.2.7)", "192.0.2.7"],
    ["2001:db8::1 443", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["abc.Example.com", "example.com"],
    ["below example.com.", "example.com"],
  ];
  for (const [text, peer] of named) assert.ok(names(text, peer), `${text}: ${peer}`);
  const other: [text: string, peer: string][] = [
    ["to 192.0.2.70", "192.0.2.7"],
    ["to 1.192.0.2.7", "192.0.2.7"],
    ["to 192.0.2.7.9", "192.0.2.7"],
    ["2001:db8::1:2", "2001:db8::1"],
    ["a:2001:db8::1", "2001:db8::1"],
    ["notexample.com", "example.com"],
    ["example.com.org", "example.com"],
    ["example-com", "example.com"],
  ];
  for (const [text, peer] of other) assert.ok(!names(text, peer), `${text}: ${peer}`);
});

Deno.test("detectors without a scenario are listed", () => {
  const { unasked } = totalsOf([judge("one", labels(), [])]);
  assert.ok(unasked.includes("scan") && !unasked.includes("beacon") && !unasked.includes("certificate"));
});
