import assert from "node:assert/strict";
import { intervalsOf } from "./intervals.ts";

Deno.test("a metronome has one gap and no deviation", () => {
  const found = intervalsOf([0, 60, 120, 180, 240])!;
  assert.equal(found.median, 60);
  assert.equal(found.deviation, 0);
  assert.equal(found.bins.reduce((sum, count) => sum + count), 4);
  assert.equal(found.bins.filter((count) => count > 0).length, 1);
});

Deno.test("order does not matter, and a long pause is in the last bin", () => {
  const found = intervalsOf([1000, 0, 20, 10, 30])!;
  assert.equal(found.median, 10);
  assert.equal(found.limit, 30);
  assert.equal(found.bins[found.bins.length - 1], 1);
});

Deno.test("equal times are gaps of zero", () => {
  const found = intervalsOf([5, 5, 5, 5])!;
  assert.equal(found.median, 0);
  assert.equal(found.bins[0], 3);
});

Deno.test("fewer than three gaps give no result", () => {
  assert.equal(intervalsOf([]), undefined);
  assert.equal(intervalsOf([1, 2, 3]), undefined);
});
