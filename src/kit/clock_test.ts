import assert from "node:assert/strict";
import { systemClock } from "./clock.ts";

Deno.test("the system clock counts whole microseconds", () => {
  const before = Date.now() * 1000;
  const now = systemClock.now();
  assert.ok(Number.isSafeInteger(now) && now >= before && now <= Date.now() * 1000);
});
