import assert from "node:assert/strict";
import { frameOf, isWithin, viewOf } from "./map-frame.ts";

const POINTS = [{ x: 0, y: 0 }, { x: 1000, y: 500 }];

Deno.test("no node lies under an open legend, and a closed one takes no room", () => {
  const closed = frameOf(POINTS, 1000, 0);
  assert.deepEqual(closed, { x: [-40, 1040], y: [-40, 540] });
  const open = frameOf(POINTS, 1000, 250);
  assert.deepEqual(open.y, closed.y);
  const perPixel = (open.x[1] - open.x[0]) / 1000;
  assert.ok((0 - open.x[0]) / perPixel >= 250);
});

Deno.test("a narrow map is not squeezed beside its legend", () => {
  assert.deepEqual(frameOf(POINTS, 600, 250), frameOf(POINTS, 600, 0));
});

Deno.test("a place is in the view if it is away from its edges", () => {
  assert.ok(isWithin({ x: 41, y: 759 }, 1000, 800));
  assert.ok(!isWithin({ x: 39, y: 400 }, 1000, 800));
  assert.ok(!isWithin({ x: 500, y: 761 }, 1000, 800));
  assert.ok(isWithin({ x: -30, y: 830 }, 1000, 800, -40), "a disc at the edge is seen in part");
});

Deno.test("the view of added nodes has all of them, at their zoom if they have room", () => {
  const places = [{ x: 1200, y: 100 }, { x: 1600, y: 300 }];
  const { scale, ...middle } = viewOf(places, 1000, 800);
  assert.deepEqual(middle, { x: 1400, y: 200 });
  assert.ok(scale < 1);
  assert.equal(viewOf([...places, { x: 3120, y: 300 }], 1000, 800).scale, 2, "1,920 pixels and two margins");
});
