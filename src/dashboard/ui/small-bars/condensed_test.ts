import assert from "node:assert/strict";
import { condensed } from "./condensed.ts";

Deno.test("neighbouring values are added up until few enough remain, and none is lost", () => {
  assert.deepEqual(condensed([1, 2, 3], 5), [1, 2, 3]);
  assert.deepEqual(condensed([1, 2, 3, 4, 5], 2), [6, 9]);
  assert.deepEqual(condensed([], 2), []);
  const many = Array.from({ length: 101 }, () => 1);
  const few = condensed(many, 50);
  assert.ok(few.length <= 50);
  assert.equal(few.reduce((sum, value) => sum + value, 0), 101);
});
