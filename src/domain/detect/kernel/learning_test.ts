import assert from "node:assert/strict";
import fc from "fast-check";
import { anyRecord, checkStored } from "../../../../test/support/detect/stored-state.ts";
import { learnFrom, LEARNING, type Learning, LEARNING_DAYS, learningPhase, MIN_RECORDS } from "./learning.ts";

const DAY = 86_400_000_000;

const anyLearning = anyRecord<Learning>({
  complete: fc.boolean(),
  days: fc.array(fc.tuple(fc.integer({ min: -1e7, max: 1e7 }), fc.nat(50)), { maxLength: 16, size: "max" })
    .map((days) => new Map(days)),
});

Deno.test("learning: states survive storage, and the format does not change", () => {
  const sample = { complete: false, days: new Map([[18_518, 50], [18_519, 7]]) };
  checkStored(LEARNING, anyLearning, sample, "01000240d21580000000003240d215c00000000007");
});

Deno.test("learning: is complete after enough days with enough records", () => {
  const state = LEARNING.empty();
  assert.equal(learningPhase(state).phase, "unknown");
  for (let day = 1; day < LEARNING_DAYS; day++) {
    for (let record = 0; record < MIN_RECORDS; record++) learnFrom(state, day * DAY + record);
    assert.equal(learnFrom(state, day * DAY), false, "the day is full");
  }
  assert.deepEqual(learningPhase(state), { phase: "learning", days: 6, needed: 7 });
  // Stray records of many days do not count, nor do they take more space than the bound.
  for (let day = 100; day < 200; day++) learnFrom(state, day * DAY);
  assert.ok(LEARNING.encode(state).length <= LEARNING.maxBytes);
  assert.deepEqual(learningPhase(state), { phase: "learning", days: 6, needed: 7 });
  for (let record = 0; record < MIN_RECORDS; record++) learnFrom(state, 300 * DAY);
  assert.deepEqual(learningPhase(state), { phase: "complete", days: 7, needed: 7 });
  assert.equal(learnFrom(state, 400 * DAY), false);
});
