import assert from "node:assert/strict";
import { FairSlots } from "./fair-slots.ts";

Deno.test("fair slots: waiting work of several keys runs in turn, within the limit", async () => {
  const slots = new FairSlots(2);
  const begun: string[] = [];
  let running = 0;
  let most = 0;
  const ask = (name: string) =>
    slots.run(name[0]!, async () => {
      begun.push(name);
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      if (name === "a2") throw new Error("no");
    });
  const results = await Promise.allSettled(["a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1"].map(ask));
  assert.deepEqual(begun, ["a1", "a2", "a3", "b1", "c1", "a4", "b2", "a5"]);
  assert.deepEqual(results.map(({ status }) => status === "fulfilled").indexOf(false), 1);
  assert.equal(most, 2);
});
