import assert from "node:assert/strict";
import { MemoryBudget } from "./memory-budget.ts";

const MIB = 1024 * 1024;

/** What each of so many tenants may have, as they hold what `held` says; all in MiB. */
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

Deno.test("a tenant may have what the others leave, and its share in any case", () => {
  assert.deepEqual(rooms([5]), [64]);
  assert.deepEqual(rooms([0, 0]), [64, 64]);
  assert.deepEqual(rooms([60, 1]), [63, 32]);
  assert.deepEqual(rooms([20, 20, 20, 1]), [23, 23, 23, 16]);
});

Deno.test("each of many tenants has enough to work with", () => {
  assert.deepEqual(rooms(Array.from({ length: 500 }, () => 1)).filter((room) => room !== 4), []);
});
