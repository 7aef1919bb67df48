import assert from "node:assert/strict";
import { baselineOf, baselinePlan } from "./baseline.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 0, 31, 12);

Deno.test("a window is covered by whole buckets and compared with the seven days before", () => {
  const plan = baselinePlan({ from: NOON + 60_000, to: NOON + 3 * HOUR + 60_000 });
  assert.deepEqual([plan.bucket, plan.step], ["1h", HOUR]);
  assert.deepEqual(plan.shown, { from: NOON, to: NOON + 4 * HOUR });
  assert.deepEqual(plan.before, { from: NOON - 7 * DAY, to: NOON });
  assert.equal(baselinePlan({ from: NOON - 7 * DAY, to: NOON }).bucket, "6h");
  assert.equal(baselinePlan({ from: NOON - 30 * DAY, to: NOON }).bucket, "1d");
});

const before = [1, 2, 3, 4].map((day) => ({ start: NOON - day * DAY, value: day * 100 }));

Deno.test("the baseline is the median of the same time of day", () => {
  assert.deepEqual(baselineOf([NOON, NOON + HOUR], before, 0), [250, null]);
  assert.deepEqual(baselineOf([NOON], [...before, { start: NOON - 5 * DAY, value: 100_000 }], 0), [300]);
});

Deno.test("days on which the device was not known are no zeros", () => {
  assert.deepEqual(baselineOf([NOON], before, NOON - 3 * DAY), [200]);
  assert.deepEqual(baselineOf([NOON], before, NOON - 2 * DAY), [null]);
});
