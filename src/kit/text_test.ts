import assert from "node:assert/strict";
import { duration, hostPort, list, moment, plural, size, span, within } from "./text.ts";

Deno.test("wording: a span of time has at most two units, the smaller one rounded down", () => {
  const cases: [number, string][] = [
    [-5, "0 s"],
    [0.4, "0 s"],
    [0.5, "1 ms"],
    [420, "420 ms"],
    [999.4, "999 ms"],
    [999.5, "1 s"],
    [7460, "7.5 s"],
    [9949, "9.9 s"],
    [9950, "10 s"],
    [58_700, "59 s"],
    [59_500, "1 min"],
    [119_000, "1 min 59 s"],
    [720_000, "12 min"],
    [9_720_000, "2 h 42 min"],
    [3_600_000 + 59_000, "1 h"],
    [200_000_000, "2 d 7 h"],
    [366 * 86_400_000, "366 d"],
  ];
  for (const [milliseconds, text] of cases) {
    assert.equal(span(milliseconds), text);
    assert.equal(duration(milliseconds / 1000), text);
  }
});

Deno.test("wording: a size has three digits and a decimal unit", () => {
  const cases: [number | bigint, string][] = [
    [0, "0 B"],
    [587, "587 B"],
    [999, "999 B"],
    [1000, "1.00 kB"],
    [19_600, "19.6 kB"],
    [99_940, "99.9 kB"],
    [99_960, "100 kB"],
    [999_499, "999 kB"],
    [999_500, "1.00 MB"],
    [2_240_000, "2.24 MB"],
    [1_500_000_000, "1.50 GB"],
    [2_000_000_000_000, "2.00 TB"],
    [2n ** 63n - 1n, "9.22 EB"],
    [1e21, "1000 EB"],
  ];
  for (const [bytes, text] of cases) assert.equal(size(bytes), text);
});

Deno.test("wording: times, names, lists", () => {
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
