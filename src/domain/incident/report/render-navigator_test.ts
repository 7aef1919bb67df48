import assert from "node:assert/strict";
import { NavigatorLayer } from "../../../contract/incident/case.ts";
import {
  caseInput,
  exampleCase,
  HOSTILE,
  hostileCase,
} from "../../../../test/support/domain/case-fixtures.ts";
import { buildCase } from "./build-case.ts";
import { renderNavigator } from "./render-navigator.ts";

/** The rules of the layer format 4.5 that a file must meet to be opened. */
function checkLayer(text: string): NavigatorLayer {
  const layer = NavigatorLayer.parse(JSON.parse(text));
  assert.deepEqual(layer, JSON.parse(text), "no property beside the documented ones");
  assert.match(layer.versions.attack, /^\d+$/);
  assert.match(layer.versions.navigator, /^(?:4\.9|5)\.\d+/);
  assert.equal(new Set(layer.techniques.map(({ techniqueID }) => techniqueID)).size, layer.techniques.length);
  for (const { techniqueID, score, color, metadata } of layer.techniques) {
    assert.match(techniqueID, /^T\d{4}(?:\.\d{3})?$/);
    assert.match(color, score === undefined ? /^$/ : /^#[0-9a-f]{6}$/);
    for (const { name, value } of metadata) assert.ok(name !== "" && value !== "");
  }
  const { colors, minValue, maxValue } = layer.gradient;
  assert.ok(colors.length >= 2 && maxValue > minValue);
  for (const { url } of layer.links) assert.match(url, /^https?:\/\//);
  return layer;
}

Deno.test("a layer has each technique with its score, colour and finding", () => {
  const layer = checkLayer(
    renderNavigator(exampleCase({ tlp: "green", url: "https://ndr.example/t/main/incidents/1" })),
  );
  assert.deepEqual(
    layer.techniques.map(({ techniqueID, score, color, comment }) => [techniqueID, score, color, comment]),
    [
      ["T1071", 50, "#ffc766", "Malware traffic of 10.0.0.5 (ET MALWARE)"],
    ],
  );
  assert.ok(layer.metadata.some(({ value }) => value === "TLP:GREEN"));
});

Deno.test("a sub-technique opens its parent, and what is no technique is left out", () => {
  const input = caseInput();
  const [result] = input.incident.model_results;
  const results = ["T1071.001", "T1021.002", "T1021", null, "not a technique"].map((technique, at) => ({
    ...result!,
    analysis_id: result!.analysis_id.replace(/.$/, String(at)),
    technique,
    score: 90 - at * 10,
  }));
  const layer = checkLayer(
    renderNavigator(buildCase({ ...input, incident: { ...input.incident, model_results: results } })),
  );
  assert.deepEqual(
    layer.techniques.map((
      { techniqueID, score = null, showSubtechniques },
    ) => [techniqueID, score, showSubtechniques]),
    [["T1071.001", 90, false], ["T1021.002", 80, false], ["T1021", 70, true], ["T1071", null, true]],
  );
});

Deno.test("hostile titles are plain text in a layer", () => {
  for (const text of HOSTILE) {
    const [technique] = checkLayer(renderNavigator(hostileCase(text))).techniques;
    assert.doesNotMatch(technique!.comment, /[\p{Cc}\p{Cf}]/u);
  }
});
