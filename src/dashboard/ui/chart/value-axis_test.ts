import assert from "node:assert/strict";
import { TICK_STEPS, tickSpace } from "./value-axis.ts";

Deno.test("value axis: a low chart has a tick above 0 whatever its highest value", () => {
  const height = 66;
  for (let most = 4; most < 100_000; most = Math.ceil(most * 1.01)) {
    const step = TICK_STEPS.find((size) => size / most * height >= tickSpace(height))!;
    assert.ok(step <= most, `the first tick above 0 of ${most} is ${step}`);
  }
});

Deno.test("value axis: ticks of a high chart keep their distance", () => {
  assert.equal(tickSpace(190), 36);
});
