import assert from "node:assert/strict";
import { Refused } from "./core-api.ts";
import { faultLines } from "./fault-lines.ts";

function lines(query: string, ...issues: { from: number; to: number; suggestion?: string }[]): string[] {
  const details = {
    issues: issues.map(({ suggestion = null, ...position }) => ({
      path: "query",
      message: "wrong",
      position,
      expected: [],
      suggestion,
    })),
  };
  return faultLines(query, new Refused(400, "query, position 1: wrong.", details));
}

Deno.test("a fault is marked under the text, also after characters outside the basic plane and at the end", () => {
  assert.deepEqual(lines("a srcc:1", { from: 2, to: 6, suggestion: "src" }), [
    "wrong",
    "  a srcc:1",
    "    ^^^^",
    "  did you mean: a src:1",
  ]);
  assert.deepEqual(lines("𝔞𝔟 x", { from: 5, to: 6 }).slice(1), ["  𝔞𝔟 x", "     ^"]);
  assert.deepEqual(lines("src.ip:", { from: 7, to: 7 }).slice(1), ["  src.ip:", "         ^"]);
});

Deno.test("a query cannot move the cursor of the terminal, and many faults are counted", () => {
  const many = Array.from({ length: 5 }, () => ({ from: 0, to: 1 }));
  const shown = lines("a\u001b[2J", ...many);
  assert.equal(shown[1], "  a [2J");
  assert.deepEqual([shown.length, shown.at(-1)], [10, "and 2 more"]);
});

Deno.test("a refusal without a position is its message", () => {
  assert.deepEqual(lines("flows"), ["query, position 1: wrong."]);
});
