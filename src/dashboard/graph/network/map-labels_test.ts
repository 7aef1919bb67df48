import assert from "node:assert/strict";
import * as fc from "fast-check";
import { type Disc, type Label, type LabelArea, placeLabels } from "./map-labels.ts";

const widthOf = (text: string) => text.length * 7;
const HEIGHT = 15;
const VIEW: LabelArea = { width: 1000, height: 800, covered: [] };
/** Labels of the generated discs are never outside. */
const ANYWHERE: LabelArea = { width: Infinity, height: Infinity, covered: [] };
const anyLabel = fc.record({
  text: fc.string({ minLength: 1, maxLength: 20 }),
  x: fc.integer({ min: 200, max: 800 }),
  y: fc.integer({ min: 100, max: 600 }),
  radius: fc.integer({ min: 1, max: 20 }),
  rank: fc.integer({ min: 0, max: 1200 }),
});

Deno.test("no label covers another, and the most important one is always there", () => {
  fc.assert(fc.property(fc.array(anyLabel, { minLength: 1, maxLength: 60 }), (labels) => {
    const placed = placeLabels(labels, [], ANYWHERE, widthOf);
    const most = Math.max(...labels.map(({ rank }) => rank));
    assert.equal(placed[0]?.rank, most);
    for (const one of placed) {
      for (const two of placed) {
        if (one === two) continue;
        const apart = Math.abs(one.x - two.x) >= (widthOf(one.text) + widthOf(two.text)) / 2;
        assert.ok(apart || Math.abs(one.y - two.y) >= HEIGHT);
      }
    }
  }));
});

Deno.test("an unimportant label covers no disc, not even its own", () => {
  const anyDiscs = fc.array(anyLabel.map((label) => ({ ...label, rank: label.rank % 55 })), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(fc.property(anyDiscs, (labels) => {
    for (const { text, x, y } of placeLabels(labels, labels, ANYWHERE, widthOf)) {
      const half = widthOf(text) / 2;
      for (const disc of labels) {
        const apart = Math.abs(disc.x - x) >= half + disc.radius ||
          disc.y + disc.radius <= y || disc.y - disc.radius >= y + HEIGHT;
        assert.ok(apart, `${text} covers the disc at ${disc.x}, ${disc.y}`);
      }
    }
  }));
});

const label = (rank: number): Label => ({ text: "server", x: 100, y: 100, radius: 8, rank });
const at = (x: number, y: number, rank = 0): Disc => ({ x, y, radius: 8, rank });
const [BELOW, ABOVE, RIGHT, LEFT] = [at(100, 120), at(100, 80), at(130, 100), at(70, 100)];
const placed = (rank: number, discs: Disc[], area = VIEW) =>
  placeLabels([label(rank)], discs, area, widthOf).map(({ x, y }) => [x, y]);

Deno.test("a label goes where it covers nothing", () => {
  assert.deepEqual(placed(30, []), [[100, 113]]);
  assert.deepEqual(placed(30, [BELOW]), [[100, 72]]);
  assert.deepEqual(placed(30, [BELOW, ABOVE]), [[134, 92.5]]);
  assert.deepEqual(placed(30, [BELOW, ABOVE, RIGHT]), [[66, 92.5]]);
  assert.deepEqual(placed(10, [BELOW]), [], "an unimportant one is only below its disc");
});

Deno.test("a label stays within the view and beside what lies over the map", () => {
  assert.deepEqual(placed(30, [], { width: 1000, height: 120, covered: [] }), [[100, 72]]);
  const legend = { left: 0, right: 200, top: 0, bottom: 95 };
  assert.deepEqual(placed(30, [BELOW], { width: 1000, height: 800, covered: [legend] }), []);
});

Deno.test("an important label covers less important discs, and the most important any, if there is no other place", () => {
  const around = (rank: number) => [BELOW, ABOVE, RIGHT, LEFT].map((disc) => ({ ...disc, rank }));
  assert.equal(placed(50, around(0)).length, 0);
  assert.equal(placed(90, around(10)).length, 1);
  assert.equal(placed(90, around(85)).length, 0);
  assert.equal(placed(150, around(150)).length, 1);
  // As few and as unimportant ones as possible.
  const discs = [at(100, 120, 90), at(100, 80, 80), at(130, 100, 70), at(70, 100, 60)];
  assert.deepEqual(placed(150, discs), [[66, 92.5]]);
  assert.deepEqual(placed(150, [...discs, at(60, 100, 60)]), [[134, 92.5]]);
});
