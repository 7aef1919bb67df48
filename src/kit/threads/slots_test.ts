import assert from "node:assert/strict";
import { Slots } from "./slots.ts";

Deno.test("slots: no more than allowed are under way, in their order, and a failure gives its slot back", async () => {
  const slots = new Slots(2);
  const begun: number[] = [];
  let underWay = 0;
  let most = 0;
  const work = (n: number) =>
    slots.run(async () => {
      begun.push(n);
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, 1));
      underWay--;
      if (n === 1) throw new Error("no");
      return n;
    });
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map(work));
  assert.deepEqual(results.map(({ status }) => status === "fulfilled"), [true, false, true, true, true]);
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
  assert.equal(most, 2);
});
