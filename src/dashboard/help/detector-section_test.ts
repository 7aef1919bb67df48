import assert from "node:assert/strict";
import { detectorGuide, detectorSection } from "./detector-section.ts";

const PAGE = await Deno.readTextFile(new URL("../../docs/detectors.md", import.meta.url));

Deno.test("every documented detector has a section of its own", () => {
  const models = [...PAGE.matchAll(/^- Model: `([^`]+)`/gm)].map(([, model]) => model!);
  assert.ok(models.length > 15);
  for (const model of models) {
    const section = detectorSection(PAGE, model);
    assert.ok(section, model);
    assert.equal([...section.text.matchAll(/^- Model: /gm)].length, 1, model);
    assert.match(section.text, /^Reports:$/m, model);
    assert.ok(!section.text.includes("\n## "), model);
    const guide = detectorGuide(section.text);
    assert.match(guide, /^What it means: [a-z]/, model);
    assert.match(guide, /\n\nWhat to check:\n\n- .*\n- /s, model);
    assert.ok(!guide.includes("Reports:") && !guide.includes("Model:"), model);
  }
});

Deno.test("a detector whose name begins another's is not confused with it", () => {
  assert.equal(detectorSection(PAGE, "beacon")?.title, "Periodic callbacks");
  assert.equal(detectorSection(PAGE, "beacon-name")?.title, "Periodic callbacks to a server name");
  assert.equal(detectorSection(PAGE, "beac"), null);
});
