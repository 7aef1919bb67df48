import assert from "node:assert/strict";
import { parseText } from "../../../src/contract/filter/parser.ts";
import type { ResultKind } from "../../../src/contract/filter/tree.ts";
import { EXAMPLES, readEntered } from "../../../src/dashboard/search/question.ts";
import { interpretQuestion } from "../../../src/domain/search/natural/interpret.ts";

Deno.test("the examples that the query bar suggests are understood", () => {
  const asked = { now: Date.parse("2026-11-25T12:00:00Z") * 1000, zone: "Europe/Berlin" };
  for (const [kind, examples] of Object.entries(EXAMPLES) as [ResultKind, readonly string[]][]) {
    for (const example of examples) {
      const parsed = parseText(example);
      if (readEntered(example).type === "filter") assert.equal(parsed.ok, true, example);
      else {
        const answer = interpretQuestion(example, asked, kind);
        assert.equal(answer.ok && answer.filter.kind, kind, example);
      }
    }
  }
});
