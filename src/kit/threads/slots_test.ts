import assert from "node:assert/strict";
import { Slots } from "./slots.ts";

Deno.test("slots: work runs in order within the limit, and a failure frees its slot", async () => {
  const slots = new Slots(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = (n: number) =>
    slots.run(async () => {
      begun.push(n);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
      if (n === 1) throw new Error("no");
      return n;
    });
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map(work));
  assert.deepEqual(results.map(({ status }) => status === "fulfilled"), [true, false, true, true, true]);
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
  assert.equal(most, 2);
});
