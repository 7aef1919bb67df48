import assert from "node:assert/strict";
import { ASSESSMENTS } from "../../contract/analyst/analyst-run.ts";
import { agreementOf } from "./agreement.ts";

Deno.test("agreement: an assessment against what people decided", () => {
  const table = ASSESSMENTS.map((
    one,
  ) => [one, agreementOf(one, "resolved"), agreementOf(one, "false_positive")]);
  assert.deepEqual(table, [
    ["malicious", "agrees", "disagrees"],
    ["suspicious", "agrees", "disagrees"],
    ["benign", "disagrees", "agrees"],
    ["inconclusive", "undecided", "undecided"],
  ]);
  assert.equal(agreementOf("benign", "open"), "undecided", "nobody has decided");
});
