import assert from "node:assert/strict";
import {
  exactTime,
  formatAgo,
  formatBytes,
  formatCount,
  formatDay,
  formatExact,
  formatLabel,
  formatScore,
  formatShare,
  formatSpan,
  formatTime,
  plural,
} from "./format.ts";

Deno.test("bytes have three digits and a decimal unit", () => {
  assert.equal(formatBytes(0), "0 B");
  assert.equal(formatBytes(999), "999 B");
  assert.equal(formatBytes(1000), "1.00 kB");
  assert.equal(formatBytes(12_345), "12.3 kB");
  assert.equal(formatBytes(999_999), "1.00 MB");
  assert.equal(formatBytes(2 ** 60), "1.15 EB");
  assert.equal(formatBytes(18_446_744_073_709_551_615n), "18.4 EB");
});

Deno.test("a missing value is a dash, not zero", () => {
  assert.equal(formatBytes(null), "–");
  assert.equal(formatCount(null), "–");
  assert.equal(formatExact(null), "–");
  assert.equal(formatCount(0), "0");
});

Deno.test("counts", () => {
  assert.equal(formatCount(1234), "1.23k");
  assert.equal(formatExact(1_234_567), "1,234,567");
  assert.equal(formatExact(9_007_199_254_740_993n), "9,007,199,254,740,993");
  assert.equal(plural(1, "flow"), "1 flow");
  assert.equal(plural(2000, "flow"), "2,000 flows");
});

Deno.test("spans have at most two units", () => {
  assert.equal(formatSpan(0), "0 s");
  assert.equal(formatSpan(0.4), "0 s");
  assert.equal(formatSpan(468), "468 ms");
  assert.equal(formatSpan(7900), "7.9 s");
  assert.equal(formatSpan(59_700), "1 min");
  assert.equal(formatSpan(3_600_000), "1 h");
  assert.equal(formatSpan(83 * 60_000), "1 h 23 min");
  assert.equal(formatSpan(90_061_000), "1 d 1 h");
  assert.equal(formatSpan(-1), "–");
});

Deno.test("ages are coarse", () => {
  const now = Date.parse("2026-01-31T07:15:00.000Z");
  assert.equal(formatAgo("2026-01-31T07:14:58.000Z", now), "just now");
  assert.equal(formatAgo("2026-01-31T07:15:30.000Z", now), "just now");
  assert.equal(formatAgo("2026-01-31T07:14:52.600Z", now), "7 s ago");
  assert.equal(formatAgo("2026-01-31T05:00:00.000Z", now), "2 h ago");
  assert.equal(formatAgo("2026-01-31T09:15:00.000Z", now), "in 2 h");
});

Deno.test("times leave out the current day and year, in the shown zone", () => {
  const now = Date.parse("2026-01-31T11:00:00Z");
  assert.equal(formatTime("2026-01-31T07:05:09Z", now, false, "UTC"), "07:05:09");
  assert.equal(formatTime("2026-01-31T07:05:09Z", now, true, "UTC"), "07:05");
  assert.equal(formatTime("2026-01-31T07:05:09Z", now, false, "Asia/Kolkata"), "12:35:09");
  assert.match(formatTime("2026-01-30T07:05:09Z", now, false, "UTC"), /^30 Jan,? 07:05:09$/);
  // The day before in UTC is today in the shown zone.
  assert.equal(formatTime("2026-01-30T23:30:00Z", now, true, "Europe/Berlin"), "00:30");
  assert.match(formatTime("2018-03-24T07:05:09Z", now, false, "UTC"), /^24 Mar 2018,? 07:05:09$/);
  assert.equal(formatTime("not a time", now), "not a time");
  assert.equal(formatDay("2018-03-24T23:30:00Z", "Europe/Berlin"), "25 Mar 2018");
});

Deno.test("an exact time names its zone", () => {
  assert.equal(exactTime("2026-01-31T07:05:09.123456Z", "UTC", "UTC"), "2026-01-31 07:05:09.123456 UTC");
  for (const [shown, browser] of [["Europe/Berlin", "UTC"], ["UTC", "Europe/Berlin"]]) {
    assert.match(
      exactTime("2026-01-31T07:05:09.123456Z", shown, browser),
      /^31 Jan 2026,? 08:05:09\.123 \S+, 2026-01-31 07:05:09\.123456 UTC$/,
    );
  }
});

Deno.test("a score is never rounded up to 100", () => {
  assert.equal(formatScore(99.7), "99");
  assert.equal(formatScore(100), "100");
  assert.equal(formatScore(78.4), "78");
  assert.equal(formatScore(59.8), "59", "60 is the next severity");
});

Deno.test("words", () => {
  assert.equal(formatLabel("false_positive"), "False positive");
  assert.equal(formatLabel("ok"), "OK");
  assert.equal(formatLabel(""), "");
});

Deno.test("shares: a small part is not nothing, and nearly all is not all", () => {
  assert.deepEqual([0, 0.001, 0.004, 0.5, 0.996, 1].map(formatShare), [
    "0 %",
    "< 1 %",
    "< 1 %",
    "50 %",
    "> 99 %",
    "100 %",
  ]);
});
