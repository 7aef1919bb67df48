import assert from "node:assert/strict";
import { PauseBudget } from "./pause-budget.ts";

const SECOND = 1_000_000;

/** Milliseconds of pauses within `seconds` of continuous ingest, asked for every 25 ms. */
function paused(budget: PauseBudget, from: number, seconds: number): number {
  let sum = 0;
  for (let at = 0; at < seconds * 40; at++) if (budget.spend(25, from + at * 25_000)) sum += 25;
  return sum;
}

Deno.test("pause budget: a burst of ten seconds pauses the pipeline", () => {
  assert.equal(paused(new PauseBudget(), 0, 10), 10_000);
});

Deno.test("pause budget: continuous ingest pauses the pipeline for ten seconds, then rarely", () => {
  const budget = new PauseBudget();
  paused(budget, 0, 12);
  const later = paused(budget, 12 * SECOND, 60);
  assert.ok(later > 500 && later < 2_000, `${later} ms of 60 s`);
});

Deno.test("pause budget: after a long quiet time the next burst pauses the pipeline again", () => {
  const budget = new PauseBudget();
  paused(budget, 0, 12);
  assert.equal(paused(budget, 600 * SECOND, 10), 10_000);
});

Deno.test("pause budget: a clock that is set back changes nothing", () => {
  const budget = new PauseBudget();
  paused(budget, 100 * SECOND, 12);
  assert.equal(budget.spend(1_000, 0), false);
});
