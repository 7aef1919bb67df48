import assert from "node:assert/strict";
import { MemoryBudget } from "./memory-budget.ts";

const MIB = 1024 * 1024;

/** Room of each tenant, given what each holds; all in MiB. */
function rooms(held: readonly number[]): number[] {
  const budget = new MemoryBudget(held.length);
  const asked = held.map((bytes) => {
    let room: () => number = () => NaN;
    budget.add((given) => {
      room = given;
      return { bytes: bytes * MIB };
    });
    return room;
  });
  return asked.map((room) => room() / MIB);
}

Deno.test("memory budget: a tenant gets what the others leave, and at least its share", () => {
  assert.deepEqual(rooms([5]), [64]);
  assert.deepEqual(rooms([0, 0]), [64, 64]);
  assert.deepEqual(rooms([60, 1]), [63, 32]);
  assert.deepEqual(rooms([20, 20, 20, 1]), [23, 23, 23, 16]);
});

Deno.test("memory budget: each of many tenants gets the minimum", () => {
  assert.deepEqual(rooms(Array.from({ length: 500 }, () => 1)).filter((room) => room !== 4), []);
});
