import assert from "node:assert/strict";
import fc from "fast-check";
import { fullJitter, heldBackoff } from "./backoff.ts";

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

Deno.test("held: from the shortest to the longest wait, doubled each time, with jitter", () => {
  const bounds = { minMs: 30_000, maxMs: 900_000 };
  const least = [0, 1, 2, 3, 4, 5, 6].map((attempt) => heldBackoff(attempt, { ...bounds, random: () => 0 }));
  assert.deepEqual(least, [30_000, 60_000, 120_000, 240_000, 480_000, 720_000, 720_000]);
  fc.assert(
    fc.property(
      fc.integer({ min: -1, max: 5000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (n, r) => {
        const wait = heldBackoff(n, { ...bounds, random: () => r });
        assert.ok(Number.isInteger(wait) && wait >= 30_000 && wait <= 900_000);
      },
    ),
  );
});
