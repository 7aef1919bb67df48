import assert from "node:assert/strict";
import { inRows } from "./export-png.ts";

Deno.test("the legend of a saved picture takes as many rows as it needs", () => {
  const placed = inRows([100, 50, 40, 300, 10], (width) => width, 200);
  assert.deepEqual(placed.map(({ x, row }) => [x, row]), [[0, 0], [116, 0], [0, 1], [0, 2], [0, 3]]);
  assert.deepEqual(inRows([], () => 1, 200), []);
});
