import assert from "node:assert/strict";
import { normalise } from "../../contract/filter/normalise.ts";
import { parseText } from "../../contract/filter/parser.ts";
import { printCondition } from "../../contract/filter/printer.ts";
import { IS_OPEN_WORK, ofSeverityIn, ofTechnique, OPEN_WORK, openWorkIn } from "./open-work.ts";

const WINDOW = { from: "2026-11-24T10:00:00.250Z", to: "2026-11-25T10:00:00.000Z" };

Deno.test("open work is the same as a text and as a condition", () => {
  assert.equal(printCondition(IS_OPEN_WORK), OPEN_WORK);
  const parsed = parseText(OPEN_WORK);
  assert.ok(parsed.ok);
  assert.deepEqual(parsed.condition, IS_OPEN_WORK);
  assert.deepEqual(normalise(openWorkIn(WINDOW)), openWorkIn(WINDOW));
});

Deno.test("the filters of links are in the form that the query bar shows", () => {
  for (const text of [ofSeverityIn("high", WINDOW), ofTechnique("T1071.001")]) {
    const parsed = parseText(text);
    assert.ok(parsed.ok, text);
    assert.equal(printCondition(parsed.condition), text);
  }
});
