import assert from "node:assert/strict";
import fc from "fast-check";
import { formatAddedPoints, formatPoints, sumOf } from "./score-sum.ts";

const share = (value: number, weight: number) => ({ name: "rhythm", value, weight, detail: "" });
const points = (value: number) => ({ name: "rare", value, weight: 1, detail: "" });
const tenthsOf = (text: string) => Math.round(Number(text.replace("−", "-")) * 10);

Deno.test("score: parts that round up one by one still add up", () => {
  const { lines, total } = sumOf([share(0.333, 35), share(0.333, 35), share(0.333, 30)], [], 33.3);
  assert.deepEqual(lines.map((line) => line.points), [11.7, 11.6, 10]);
  assert.equal(total, 33.3);
});

Deno.test("score: what the limit takes away is a line of its own", () => {
  const { lines, total } = sumOf([share(1, 90)], [points(25)], 100);
  assert.equal(total, 100);
  assert.deepEqual(lines.at(-1), {
    name: "limit",
    points: -15,
    of: null,
    detail: "Scores are limited to 100",
  });
});

Deno.test("score: a negative total is limited to zero", () => {
  assert.equal(sumOf([share(0.1, 20)], [points(-10)], 0).lines.at(-1)?.points, 8);
});

Deno.test("score: the shown numbers add up for every result", () => {
  const shares = fc.array(
    fc.record({ value: fc.integer({ min: 0, max: 1000 }), weight: fc.integer({ min: 1, max: 60 }) }),
    { minLength: 1, maxLength: 8 },
  );
  const modifiers = fc.array(fc.integer({ min: -400, max: 400 }), { maxLength: 4 });
  fc.assert(fc.property(shares, modifiers, (some, others) => {
    const parts = some.map(({ value, weight }) => share(value / 1000, weight));
    const added = others.map((tenths) => points(tenths / 10));
    const exact = [...parts, ...added].reduce((sum, { value, weight }) => sum + value * weight, 0);
    const score = Math.round(Math.min(100, Math.max(0, exact)) * 10) / 10;
    const { lines, total } = sumOf(parts, added, score);
    const shown = lines.map((line) => tenthsOf(formatAddedPoints(line.points)));
    assert.equal(shown.reduce((sum, tenths) => sum + tenths, 0), tenthsOf(formatPoints(total)));
    // No line is off by more than the tenth that rounding may move.
    for (const [index, part] of [...parts, ...added].entries()) {
      assert.ok(Math.abs(lines[index]!.points - part.value * part.weight) <= 0.2);
    }
  }));
});
