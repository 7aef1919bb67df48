import assert from "node:assert/strict";
import { TACTICS } from "../../kit/attack.ts";
import { phaseOf, PHASES, phasesOf } from "./phases.ts";

function finding(analysis_id: string, technique: string | null, minute: number) {
  const at = `2026-01-31T07:${String(minute).padStart(2, "0")}:00.000Z`;
  return { analysis_id, technique, first_seen: at, last_seen: at };
}

Deno.test("every tactic belongs to one phase", () => {
  for (const { id } of TACTICS) {
    assert.equal(PHASES.filter(({ tactics }) => tactics.includes(id)).length, 1, id);
  }
});

Deno.test("a technique belongs to the phase of its tactic, an unknown one to the others", () => {
  const expected = {
    T1595: "first_sign",
    T1190: "foothold",
    "T1021.002": "movement",
    "T1071.001": "control",
    T1048: "theft",
    T1557: "movement",
    T9999: "other",
  };
  for (const [technique, phase] of Object.entries(expected)) assert.equal(phaseOf(technique), phase);
  assert.equal(phaseOf(null), "other");
});

Deno.test("phases follow their first finding, findings their start, in whatever order they come", () => {
  const findings = [
    finding("f", "T1048", 9),
    finding("e", null, 5),
    finding("d", "T1071.001", 3),
    finding("c", "T1210", 4),
    finding("b", "T1071.001", 3),
    finding("a", "T1573", 8),
  ];
  const shown = (given: typeof findings) =>
    phasesOf(given).map(({ id, findings }) => [id, ...findings.map(({ analysis_id }) => analysis_id)]);
  const expected = [["control", "b", "d", "a"], ["movement", "c"], ["other", "e"], ["theft", "f"]];
  assert.deepEqual(shown(findings), expected);
  assert.deepEqual(shown(findings.toReversed()), expected);
  assert.deepEqual(phasesOf([]), []);
});

Deno.test("phases that begin at once are in the usual order", () => {
  const both = phasesOf([finding("a", "T1048", 1), finding("b", "T1190", 1)]);
  assert.deepEqual(both.map(({ name }) => name), ["Foothold", "Theft or damage"]);
});
