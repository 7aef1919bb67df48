import assert from "node:assert/strict";
import { fullJitter } from "./backoff.ts";

Deno.test("waits are drawn below a ceiling that doubles up to the cap", () => {
  const ceiling = (attempt: number) =>
    fullJitter(attempt, { baseMs: 1000, capMs: 60_000, random: () => 1 - Number.EPSILON }) + 1;
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7, 2000].map(ceiling), [
    1000,
    2000,
    4000,
    8000,
    16_000,
    32_000,
    60_000,
    60_000,
    60_000,
  ]);
  assert.equal(fullJitter(3, { baseMs: 1000, capMs: 60_000, random: () => 0 }), 0);
  assert.equal(fullJitter(1, { baseMs: 1000, capMs: 60_000, random: () => 0.25 }), 500);
});

Deno.test("by default the wait is random", () => {
  const waits = new Set(Array.from({ length: 20 }, () => fullJitter(5, { baseMs: 1000, capMs: 60_000 })));
  assert.ok(waits.size > 1);
  for (const wait of waits) assert.ok(Number.isInteger(wait) && wait >= 0 && wait < 32_000);
});
