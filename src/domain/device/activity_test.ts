import assert from "node:assert/strict";
import fc from "fast-check";
import { areConcurrent, combineActivity } from "./activity.ts";

const all = (slots: number[]) => ({ since: -Infinity, slots });
const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step);

Deno.test("a machine that changes its address is not concurrent with itself", () => {
  assert.equal(areConcurrent(all(range(0, 100)), all(range(100, 200))), false);
  assert.equal(areConcurrent(all(range(0, 100)), all(range(99, 200))), false, "both within one slot");
  assert.equal(areConcurrent(all([1]), all([1])), false);
  assert.equal(areConcurrent(all([]), all(range(0, 9))), false);
});

Deno.test("a laptop that commutes between two places each day is not concurrent with itself", () => {
  const days = [0, 288, 576, 864, 1152];
  const office = days.flatMap((day) => range(day + 96, day + 200));
  const home = days.flatMap((day) => range(day + 210, day + 260));
  assert.equal(areConcurrent(all(office), all(home)), false);
});

Deno.test("two machines in use at the same time are concurrent, however rarely they communicate", () => {
  assert.equal(areConcurrent(all(range(0, 100)), all(range(0, 100))), true);
  assert.equal(areConcurrent(all(range(0, 100)), all(range(50, 150))), true);
  assert.equal(areConcurrent(all(range(0, 2016, 12)), all(range(5, 2016, 12))), true, "each once an hour");
});

Deno.test("only the period known of both counts", () => {
  const busy = { since: 90, slots: range(90, 100) };
  assert.equal(areConcurrent(busy, all(range(0, 90))), false);
  assert.equal(areConcurrent(busy, all(range(80, 100))), true);
});

Deno.test("the comparison is symmetric", () => {
  const slots = fc.uniqueArray(fc.integer({ min: 0, max: 60 })).map((list) => list.sort((a, b) => a - b));
  fc.assert(fc.property(slots, slots, (a, b) => {
    assert.equal(areConcurrent(all(a), all(b)), areConcurrent(all(b), all(a)));
  }));
});

Deno.test("combined activity is known from where all parts are", () => {
  assert.deepEqual(combineActivity([{ since: 1, slots: [3, 5] }, { since: 4, slots: [4, 5] }]), {
    since: 4,
    slots: [3, 4, 5],
  });
});
