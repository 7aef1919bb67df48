import assert from "node:assert/strict";
import { frameOf } from "./map-frame.ts";

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
