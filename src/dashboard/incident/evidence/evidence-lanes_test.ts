import assert from "node:assert/strict";
import type { EvidenceItem } from "../../../contract/flow/flow.ts";
import type { ModelResult } from "../../../contract/incident/incident.ts";
import { severityOfScore } from "../../ui/severity.ts";
import { evidenceLanes } from "./evidence-lanes.ts";

type Source = Parameters<typeof evidenceLanes>[0];

function incident(
  evidence: string[],
  results: [model: string, device: string | null, score: number, ids: string[]][],
) {
  return {
    severity: "high",
    device_names: { a: "Front desk" },
    evidence: evidence.map((id) =>
      ({
        evidence_id: id,
        observed_at: `2026-01-31T07:00:0${id}.000Z`,
        summary: `record ${id}`,
      }) as EvidenceItem
    ),
    model_results: results.map(([model_id, device_id, score, evidence_ids]) =>
      ({ model_id, device_id, score, evidence_ids }) as unknown as ModelResult
    ),
  } satisfies Source;
}

Deno.test("lanes: one per detector, the strongest first; a shared record is on both", () => {
  const shared = incident(["1", "2"], [["scan", "a", 30, ["1"]], ["beacon", "a", 70, ["1", "2"]]]);
  const { lanes, events } = evidenceLanes(shared, "detector", severityOfScore);
  assert.deepEqual(lanes.map(({ text }) => text), ["beacon", "scan"]);
  assert.deepEqual(events.map(({ lane, evidenceId, severity }) => [lane, evidenceId, severity]), [
    ["detector beacon", "1", "high"],
    ["detector beacon", "2", "high"],
    ["detector scan", "1", "low"],
  ]);
});

Deno.test("lanes: by device, with names", () => {
  const { lanes } = evidenceLanes(
    incident(["1", "2"], [["scan", "a", 30, ["1"]], ["scan", null, 20, ["2"]]]),
    "device",
    severityOfScore,
  );
  assert.deepEqual(lanes.map(({ text }) => text), ["Front desk", "No device of the site"]);
});

Deno.test("lanes: no record is left out", () => {
  const alone = evidenceLanes(incident(["1", "2"], [["scan", "a", 30, ["1"]]]), "detector", severityOfScore);
  assert.deepEqual([alone.lanes.length, alone.events.length], [1, 2]);
  const several = evidenceLanes(
    incident(["1", "2", "3"], [["scan", "a", 30, ["1"]], ["beacon", "a", 60, ["2"]]]),
    "detector",
    severityOfScore,
  );
  assert.deepEqual(several.lanes.map(({ text }) => text), ["beacon", "scan", "Former scorings"]);
  assert.deepEqual(several.events.map(({ severity }) => severity), ["high", "low", "info"]);
});

Deno.test("lanes: the window leaves room around the records", () => {
  const { window } = evidenceLanes(
    incident(["1", "5"], [["scan", "a", 30, ["1", "5"]]]),
    "detector",
    severityOfScore,
  );
  assert.deepEqual(window, { from: "2026-01-31T07:00:00.000Z", to: "2026-01-31T07:00:06.000Z" });
});
