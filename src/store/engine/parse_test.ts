import assert from "node:assert/strict";
import fc from "fast-check";
import { timestampLiteral } from "./literals.ts";
import { parseBigint, parseBigintArray, parseTimestamptz } from "./parse.ts";

Deno.test("a timestamp is parsed to microseconds since the epoch", () => {
  assert.equal(parseTimestamptz("1970-01-01 00:00:00+00"), 0);
  assert.equal(parseTimestamptz("2026-01-31 12:00:00.1+00"), 1_769_860_800_100_000);
  assert.equal(parseTimestamptz("2026-01-31 12:00:00.000001+00"), 1_769_860_800_000_001);
  assert.equal(parseTimestamptz("1969-12-31 23:59:59.999999+00"), -1);
  assert.equal(parseTimestamptz("0001-01-01 00:00:00+00"), -62_135_596_800_000_000, "not the year 2001");
});

Deno.test("any other format is an error, not a wrong time", () => {
  const others = [
    "2026-01-31 12:00:00",
    "2026-01-31 12:00:00+01",
    "2026-01-31T12:00:00Z",
    "0044-03-15 12:00:00+00 BC",
    "infinity",
    "31/01/2026 12:00:00 CET",
    "",
  ];
  for (const text of others) assert.throws(() => parseTimestamptz(text), /unexpected timestamp/, text);
});

Deno.test("a written timestamp is read as the same number", () => {
  const micros = fc.integer({ min: -62_135_596_800, max: 253_402_300_798 })
    .chain((seconds) => fc.integer({ min: 0, max: 999_999 }).map((rest) => seconds * 1_000_000 + rest));
  fc.assert(
    fc.property(micros, (time) => {
      const written = timestampLiteral(time).replace("T", " ").replace("Z", "+00");
      assert.equal(parseTimestamptz(written), time);
    }),
    { numRuns: 1000 },
  );
});

Deno.test("a bigint becomes a number if that is exact", () => {
  assert.equal(parseBigint("0"), 0);
  assert.equal(parseBigint("-9007199254740991"), -9007199254740991);
  assert.equal(parseBigint("9007199254740992"), 9007199254740992n);
  assert.equal(parseBigint("9223372036854775807"), 9223372036854775807n);
  assert.deepEqual(parseBigintArray("{}"), []);
  assert.deepEqual(parseBigintArray("{1,-9223372036854775808}"), [1, -9223372036854775808n]);
});
