import assert from "node:assert/strict";
import { DAY_MINUTES, lengthOf, positionOf, rangeAt, scaleOf } from "./scrubber-scale.ts";

const NOW = Date.parse("2026-03-02T12:00:30Z");

Deno.test("the end of the scale is live, every other position is a fixed window", () => {
  assert.deepEqual(rangeAt(0, 60, NOW), { preset: "1h" });
  assert.deepEqual(rangeAt(-30, 15, NOW), {
    from: "2026-03-02T11:15:00.000Z",
    to: "2026-03-02T11:30:00.000Z",
  });
});

Deno.test("a window has its length and position back", () => {
  for (const [position, minutes] of [[-30, 15], [-600, 60], [-1, 15]] as const) {
    const range = rangeAt(position, minutes, NOW);
    assert.ok("from" in range);
    assert.equal(lengthOf(range), minutes);
    assert.ok(Math.abs(positionOf(range, NOW) - position) <= 1);
  }
});

Deno.test("times outside the last day are drawn at its ends", () => {
  assert.equal(scaleOf("2026-02-01T00:00:00Z", NOW), 0);
  assert.equal(scaleOf("2026-03-03T00:00:00Z", NOW), DAY_MINUTES);
  assert.equal(scaleOf("2026-03-02T00:00:30Z", NOW), DAY_MINUTES / 2);
});
