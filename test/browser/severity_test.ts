import assert from "node:assert/strict";
import { severityOf } from "../../src/domain/incident/severity.ts";
import { severityOfScore } from "../../src/dashboard/ui/severity.ts";

Deno.test("the dashboard shows the same severity for every score as the API", () => {
  for (let score = 0; score <= 100; score += 0.1) {
    assert.equal(severityOfScore(score), severityOf(score), `score ${score}`);
  }
});
