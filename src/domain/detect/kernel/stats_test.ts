import assert from "node:assert/strict";
import { quantileSorted, spread, trimmedMean, variation } from "./stats.ts";

Deno.test("stats: spread about the median", () => {
  assert.deepEqual(spread([1, 2, 3, 4, 100]), { median: 3, mad: 1, skew: 0, iqr: 2 });
  assert.deepEqual(spread([5, 5, 5]), { median: 5, mad: 0, skew: 0, iqr: 0 });
  assert.ok(spread([1, 1, 1, 2, 9, 9]).skew > 0);
  assert.deepEqual(spread([7]), { median: 7, mad: 0, skew: 0, iqr: 0 });
});

Deno.test("stats: quantiles, trimmed mean, variation", () => {
  assert.equal(quantileSorted([0, 10], 0.25), 2.5);
  assert.equal(trimmedMean([1, 1, 1, 1000], 0.05), 1);
  assert.equal(trimmedMean([4], 0.05), 4);
  assert.equal(variation([0, 0]), 0);
  assert.equal(variation([1, 3]), 0.5);
});
