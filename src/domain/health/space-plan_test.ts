import assert from "node:assert/strict";
import fc from "fast-check";
import { planSpace, type Stored } from "./space-plan.ts";

const days = (...bytes: number[]) => bytes.map((one, index) => ({ until: index + 1, bytes: one }));

Deno.test("nothing is dropped while the limit is met", () => {
  const stored = { total: 1000, fixed: 100, droppable: days(300, 300) };
  assert.deepEqual(planSpace(stored, 1000), { before: null, enough: true });
});

Deno.test("the oldest go first, with some headroom", () => {
  const stored = { total: 1000, fixed: 100, droppable: days(10, 40, 300, 300).reverse() };
  assert.deepEqual(planSpace(stored, 999), { before: 3, enough: true });
  assert.deepEqual(planSpace(stored, 990).before, 3, "down to 940.5, which two days do not reach");
  assert.deepEqual(planSpace({ ...stored, droppable: days(10, 50, 300) }, 990).before, 2);
});

Deno.test("units with the same end are dropped together", () => {
  const droppable = [{ until: 1, bytes: 200 }, { until: 1, bytes: 5 }, { until: 2, bytes: 300 }];
  assert.deepEqual(planSpace({ total: 1000, fixed: 0, droppable }, 900), { before: 1, enough: true });
});

Deno.test("nothing is dropped if the limit is below the fixed part", () => {
  const stored = { total: 1000, fixed: 500, droppable: days(200, 200) };
  assert.deepEqual(planSpace(stored, 510), { before: null, enough: false });
});

Deno.test("if today alone is too much, everything older goes, and the plan says it is not enough", () => {
  const stored = { total: 1000, fixed: 10, droppable: days(200, 200) };
  assert.deepEqual(planSpace(stored, 500), { before: 2, enough: false });
  assert.deepEqual(planSpace({ ...stored, droppable: [] }, 500), { before: null, enough: false });
});

Deno.test("empty partitions are not dropped repeatedly for a limit that cannot be met", () => {
  const stored = { total: 1000, fixed: 10, droppable: days(1, 2) };
  assert.deepEqual(planSpace(stored, 500), { before: null, enough: false });
  assert.deepEqual(planSpace(stored, 998), { before: 2, enough: true }, "here they are enough");
});

const stored: fc.Arbitrary<Stored> = fc.record({
  fixed: fc.nat(1000),
  today: fc.nat(1000),
  droppable: fc.array(fc.record({ until: fc.nat(20), bytes: fc.nat(500) }), { maxLength: 30 }),
}).map(({ fixed, today, droppable }) => ({
  total: fixed + today + droppable.reduce((sum, { bytes }) => sum + bytes, 0),
  fixed,
  droppable,
}));

Deno.test("a plan meets the limit or says that it does not, and never drops newer data than needed", () => {
  fc.assert(fc.property(stored, fc.integer({ min: 1, max: 5000 }), (stored, limit) => {
    const left = (before: number | null) =>
      stored.total - stored.droppable.filter(({ until }) => before !== null && until <= before)
        .reduce((sum, { bytes }) => sum + bytes, 0);
    const { before, enough } = planSpace(stored, limit);
    assert.equal(enough, left(before) <= limit);
    const older = stored.droppable.map(({ until }) => until).filter((until) =>
      before !== null && until < before
    );
    for (const until of older) assert.ok(left(until) > limit * 0.95, "an older cutoff would not be enough");
  }));
});
