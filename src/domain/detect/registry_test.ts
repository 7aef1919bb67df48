import assert from "node:assert/strict";
import { DETECTORS } from "./registry.ts";

Deno.test("registry: model ids are unique and everything is named", () => {
  assert.equal(new Set(DETECTORS.map(({ info }) => info.modelId)).size, DETECTORS.length);
  for (const { info: detector } of DETECTORS) {
    assert.match(detector.modelId, /^[a-z][a-z-]*$/);
    assert.ok(detector.version !== "" && detector.title !== "" && detector.description !== "");
  }
});
