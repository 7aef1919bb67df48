// Lints the published document with a third-party linter: all recommended rules, warnings counted as errors.
// It checks the document's structure and every example against its schema.

import assert from "node:assert/strict";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { openApiText } from "../../../src/contract/openapi.ts";

/** Each problem on one line. */
async function problemsOf(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
}

Deno.test("the linter reports no problem in the document", async () => {
  assert.deepEqual(await problemsOf(openApiText()), []);
});

Deno.test("the linter notices a wrong example, a dangling reference, an operation without a summary", async () => {
  const document = JSON.parse(openApiText());
  const { get } = document.paths["/api/v1/incidents"];
  get.responses["200"].content["application/json"].example.data[0].score = 101;
  get.responses["401"].content["application/json"].schema.$ref = "#/components/schemas/Nothing";
  delete get.summary;
  const rules = (await problemsOf(JSON.stringify(document))).map((line) => line.split(":")[0]);
  for (const rule of ["no-invalid-media-type-examples", "no-unresolved-refs", "operation-summary"]) {
    assert.ok(rules.includes(rule), `${rule} in ${rules}`);
  }
});
