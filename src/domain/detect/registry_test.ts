import assert from "node:assert/strict";
import { DETECTORS, STATE_TYPES } from "./registry.ts";

Deno.test("registry: model ids are unique, and descriptions are complete", () => {
  assert.equal(new Set(DETECTORS.map(({ info }) => info.modelId)).size, DETECTORS.length);
  for (const { info: detector } of DETECTORS) {
    assert.match(detector.modelId, /^[a-z][a-z-]*$/);
    assert.ok(detector.version !== "" && detector.title !== "" && detector.description !== "");
    assert.ok(detector.sources !== "" && detector.baseline !== "");
    assert.ok(detector.reports.length > 0 && detector.ignores.length > 0);
    assert.ok(detector.technique === null || /^T\d{4}(\.\d{3})?$/.test(detector.technique));
  }
});

Deno.test("registry: every type of state has a unique id and name, is bounded and expires", () => {
  assert.equal(new Set(STATE_TYPES.map(({ id }) => id)).size, STATE_TYPES.length);
  assert.equal(new Set(STATE_TYPES.map(({ name }) => name)).size, STATE_TYPES.length);
  for (const { id, keepDays, maxBytes } of STATE_TYPES) {
    assert.ok(id > 0 && id < 2 ** 15 && keepDays > 0);
    assert.ok(Number.isFinite(maxBytes), `type ${id} is bounded`);
  }
});
