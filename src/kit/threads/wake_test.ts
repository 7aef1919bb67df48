import assert from "node:assert/strict";
import { Wake } from "./wake.ts";

const HOUR = 3_600_000;

Deno.test("wake: it ends the current wait, or the next one at once, until it is taken", async () => {
  const wake = new Wake();
  const waiting = wake.wait(HOUR);
  wake.now();
  await waiting;
  await wake.wait(HOUR);
  assert.equal(wake.taken(), true);
  assert.equal(wake.taken(), false);
});

Deno.test("wake: a wait ends by itself, and one of no length does not begin", async () => {
  const wake = new Wake();
  await wake.wait(1);
  const sleeps: number[] = [];
  const sleep = (milliseconds: number) => Promise.resolve(void sleeps.push(milliseconds));
  for (const milliseconds of [5, 0, -1]) await wake.wait(milliseconds, sleep);
  assert.deepEqual(sleeps, [5]);
  assert.equal(wake.taken(), false);
});
