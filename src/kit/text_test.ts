import assert from "node:assert/strict";
import { duration, hostPort, list, moment, plural, size, within } from "./text.ts";

Deno.test("wording: durations, sizes, names", () => {
  assert.deepEqual([0.42, 1, 58.7, 119, 150, 7000, 9720, 200_000].map(duration), [
    "0.4 seconds",
    "1 second",
    "59 seconds",
    "119 seconds",
    "3 minutes",
    "117 minutes",
    "2.7 hours",
    "2.3 days",
  ]);
  assert.deepEqual([587, 19_600, 2_240_000].map(size), ["587 bytes", "19.6 kB", "2.2 MB"]);
  assert.equal(moment(1_349_620_439_780_720), "2012-10-07 14:33 UTC");
  const at = 1_349_620_439_780_720;
  assert.equal(within(at, at + 100_000), "at 2012-10-07 14:33 UTC");
  assert.equal(within(at, at + 60_000_000), "between 2012-10-07 14:33 and 14:34 UTC");
  const later = at + 86_400_000_000;
  assert.equal(within(at, later), "between 2012-10-07 14:33 UTC and 2012-10-08 14:33 UTC");
  assert.equal(hostPort("2001:db8::1", 443), "[2001:db8::1]:443");
  assert.equal(plural(1, "device"), "1 device");
  assert.equal(list(["a", "b", "c"]), "a, b and c");
});
