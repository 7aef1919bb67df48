import assert from "node:assert/strict";
import fc from "fast-check";
import { readEpoch, readTime, span, timeOf } from "./times.ts";

Deno.test("a time as epoch seconds keeps the record's digits", () => {
  const time = readTime(1588205199.82437);
  assert.equal(time?.micros, 1588205199824370);
  assert.equal(time?.canonical, "2020-04-30T00:06:39.82437Z");
  assert.equal(readTime("1588205199.824370")?.canonical, "2020-04-30T00:06:39.82437Z");
  assert.equal(readTime("1588205199.1234567899")?.canonical, "2020-04-30T00:06:39.1234567899Z");
  assert.equal(readTime("1588205199.1234567899")?.micros, 1588205199123456);
  assert.equal(readTime(1588205199)?.canonical, "2020-04-30T00:06:39Z");
});

Deno.test("a time as text: zones, Suricata's offset without colon, no zone", () => {
  assert.equal(readTime("2011-08-12T14:52:57.716360+0200")?.canonical, "2011-08-12T12:52:57.71636Z");
  assert.equal(readTime("2022-07-12T05:52:18.378379-0000")?.canonical, "2022-07-12T05:52:18.378379Z");
  const zoneless = readTime("2025-11-21 01:01:41.000000");
  assert.equal(zoneless?.canonical, "2025-11-21T01:01:41Z");
  assert.equal(zoneless?.zoneless, true);
  assert.equal(readTime("2025-11-21T01:01:41Z")?.zoneless, false);
});

Deno.test("an invalid time is null", () => {
  const bad = [
    "",
    "yesterday",
    "2017-01-30T16:12:26+0100x",
    "1e9",
    -1,
    1e300,
    NaN,
    0.1e-7,
    5n,
    null,
    {},
    true,
  ];
  for (const value of [...bad, "1969-12-31T23:59:59Z", "9999-01-01T00:00:00Z", 99999999999]) {
    assert.equal(readTime(value), null, String(value));
  }
});

Deno.test("epoch units are exact; 0 means not set", () => {
  assert.equal(readEpoch(1681583295157626001n, "ns")?.canonical, "2023-04-15T18:28:15.157626001Z");
  assert.equal(readEpoch("1681583295157626001", "ns")?.micros, 1681583295157626);
  assert.equal(readEpoch(1681583295157, "ms")?.canonical, "2023-04-15T18:28:15.157Z");
  assert.equal(readEpoch(1637501832, "s")?.canonical, "2021-11-21T13:37:12Z");
  assert.equal(readEpoch(5, "ns")?.canonical, "1970-01-01T00:00:00.000000005Z");
  for (const bad of [0, -5, 2n ** 64n, 1.5, "x", null]) assert.equal(readEpoch(bad, "ns"), null);
});

Deno.test("an absent time is silent, an invalid one warns", () => {
  const warnings: string[] = [];
  assert.equal(timeOf(undefined, "ts", warnings), null);
  assert.equal(timeOf(null, "ts", warnings), null);
  assert.deepEqual(warnings, []);
  assert.equal(timeOf("soon", "ts", warnings), null);
  assert.equal(timeOf("2025-11-21T01:01:41", "ts", warnings), 1763686901000000);
  assert.deepEqual(warnings, ["ts: expected a time", "time has no zone, assumed UTC"]);
});

Deno.test("an implausible span becomes its instant", () => {
  const warnings: string[] = [];
  assert.deepEqual(span(10, 20, 10, warnings), { start: 10, end: 20 });
  assert.deepEqual(warnings, []);
  assert.deepEqual(span(20, 10, 20, warnings), { start: 20, end: 20 });
  assert.deepEqual(span(0, 367 * 86_400e6, 0, warnings), { start: 0, end: 0 });
  assert.deepEqual(warnings, ["ends before it starts", "lasts longer than 366 days"]);
});

Deno.test("the fast path agrees with the text", () => {
  const seconds = fc.oneof(
    fc.double({ min: 0, max: 2 ** 33, noNaN: true }),
    fc.tuple(fc.nat({ max: 2 ** 31 - 1 }), fc.nat({ max: 9_999_999 }), fc.constantFrom(1e3, 1e6, 1e7))
      .map(([whole, part, unit]) => whole + part / unit),
    fc.integer({ min: -1, max: 5_000_000_000 }),
    fc.constantFrom(0, -0, 0.5, 1e-7, 0.999999, 1, 2 ** 32 - 1e-6, 2 ** 32, 1e21, Infinity, NaN),
  );
  fc.assert(
    fc.property(seconds, (value) => {
      assert.equal(timeOf(value, "ts", []), readTime(value)?.micros ?? null);
    }),
    { numRuns: 5000 },
  );
});
