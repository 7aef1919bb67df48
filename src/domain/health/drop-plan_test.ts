import assert from "node:assert/strict";
import { planDrops } from "./drop-plan.ts";

const DAY = 86_400_000_000;
const TODAY = 20_000 * DAY;
const AT = TODAY + DAY / 2;
const ago = (days: number) => TODAY - days * DAY;

function plan(ages: readonly number[], allowance: number) {
  const { at, days } = planDrops({ at: AT, days: ages.map(ago), retentionDays: 30, allowance });
  return { at, ages: days.map((day) => (TODAY - day) / DAY) };
}

Deno.test("without running time nothing expires, rows without partitions included", () => {
  const { at, ages } = plan([33, 32, 31, 30], DAY - 1);
  assert.deepEqual(ages, []);
  assert.equal(at, ago(33 - 31) - 1, "the last moment at which the oldest day has not expired");
});

Deno.test("each day of running time pays for the oldest day", () => {
  assert.deepEqual(plan([31, 33, 32, 33, 30], 2 * DAY + 5).ages, [33, 32]);
  assert.equal(plan([31, 33, 32, 33, 30], 2 * DAY).at, TODAY - 1);
});

Deno.test("with enough running time the retention applies at the present time", () => {
  assert.deepEqual(plan([32, 31, 30, 0], 2 * DAY), { at: AT, ages: [32, 31] });
  assert.deepEqual(plan([30, 1], 0), { at: AT, ages: [] });
});

Deno.test("days without records cost nothing", () => {
  assert.deepEqual(plan([60, 31], 2 * DAY), { at: AT, ages: [60, 31] });
});
