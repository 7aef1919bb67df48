import assert from "node:assert/strict";
import { bucketAt, heatLevel, spanOf, stacked } from "./stack.ts";

Deno.test("series are stacked from the first one", () => {
  assert.deepEqual(stacked([[1, 0, null], [2, 3, 4]]), [[1, 0, 0], [3, 3, 4]]);
  assert.deepEqual(stacked([]), []);
});

Deno.test("a position belongs to the bucket that contains it, at the ends to the nearest", () => {
  assert.equal(bucketAt(0, 100, 10, 5), 0);
  assert.equal(bucketAt(109, 100, 10, 5), 0);
  assert.equal(bucketAt(110, 100, 10, 5), 1);
  assert.equal(bucketAt(900, 100, 10, 5), 4);
});

Deno.test("a selection made backwards is the same", () => {
  assert.deepEqual(spanOf(5, 2), [2, 5]);
  assert.deepEqual(spanOf(2, 5), [2, 5]);
});

Deno.test("heat starts with the first one and ends with the most", () => {
  assert.equal(heatLevel(0, 100), 0);
  assert.equal(heatLevel(1, 100_000), 1);
  assert.equal(heatLevel(100, 100), 5);
  assert.equal(heatLevel(7, 0), 0);
});
