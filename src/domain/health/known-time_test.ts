import assert from "node:assert/strict";
import fc from "fast-check";
import { advanceKnown, type ClockKnowledge, LEAP_PROOF, ORDINARY_STEP, proofOf } from "./known-time.ts";

const HOUR = 3_600_000_000;
const NOW = 480_000 * HOUR;

Deno.test("a step of at most a day is proven by as much running time, a larger one by 72 hours", () => {
  assert.equal(proofOf(8 * HOUR), 8 * HOUR);
  assert.equal(proofOf(ORDINARY_STEP), ORDINARY_STEP);
  assert.equal(proofOf(ORDINARY_STEP + 1), LEAP_PROOF);
});

Deno.test("known time never decreases and never falls behind the running time, whatever the clock shows", () => {
  const tick = fc.record({
    ahead: fc.integer({ min: -1000, max: 1000 }),
    elapsed: fc.integer({ min: 0, max: 48 }),
    step: fc.constantFrom(ORDINARY_STEP, HOUR / 12),
  });
  fc.assert(fc.property(fc.array(tick), (ticks) => {
    let known: ClockKnowledge = { knownAt: NOW, leap: null };
    for (const { ahead, elapsed, step } of ticks) {
      const before = known.knownAt;
      known = advanceKnown(known, { clock: NOW + ahead * HOUR, elapsed: elapsed * HOUR, step });
      assert.ok(known.knownAt >= before + elapsed * HOUR);
    }
  }));
});
