import assert from "node:assert/strict";
import fc from "fast-check";
import { formatMicros, formatMillis, parseTimestamp } from "./time.ts";

Deno.test("a timestamp gives microseconds and its UTC text with every digit", () => {
  const cases: [string, number, string][] = [
    ["1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"],
    ["2026-11-21T01:02:03.123Z", 1795222923123000, "2026-11-21T01:02:03.123Z"],
    ["2026-11-21t01:02:03.1230z", 1795222923123000, "2026-11-21T01:02:03.123Z"],
    ["2026-11-21T01:02:03.000Z", 1795222923000000, "2026-11-21T01:02:03Z"],
    ["2026-11-21T01:02:03+00:00", 1795222923000000, "2026-11-21T01:02:03Z"],
    ["2026-11-21T01:02:03-00:00", 1795222923000000, "2026-11-21T01:02:03Z"],
    ["2026-11-21T01:02:03.5+0000", 1795222923500000, "2026-11-21T01:02:03.5Z"],
    ["2026-11-21T01:02:03.123456789Z", 1795222923123456, "2026-11-21T01:02:03.123456789Z"],
    ["2026-11-21T00:32:03.123456+05:30", 1795201323123456, "2026-11-20T19:02:03.123456Z"],
    ["2026-12-31T23:30:00-0130", 1798765200000000, "2027-01-01T01:00:00Z"],
    ["1969-12-31T23:59:59.9999999Z", -1, "1969-12-31T23:59:59.9999999Z"],
    ["2000-02-29T12:00:00Z", 951825600000000, "2000-02-29T12:00:00Z"],
    ["0001-01-01T00:00:00Z", -62135596800000000, "0001-01-01T00:00:00Z"],
    ["2016-12-31T23:59:60.25Z", 1483228800250000, "2016-12-31T23:59:60.25Z"],
    ["2017-01-01T05:29:60+05:30", 1483228800000000, "2016-12-31T23:59:60Z"],
  ];
  for (const [text, micros, canonical] of cases) {
    assert.deepEqual(parseTimestamp(text), { micros, canonical }, text);
  }
});

Deno.test("texts that are not RFC 3339 timestamps are refused", () => {
  for (
    const text of [
      "",
      "2026-11-21",
      "2026-11-21T01:02:03",
      "2026-11-21 01:02:03Z",
      "2026-11-21T01:02Z",
      "2026-11-21T01:02:03.Z",
      "2026-11-21T01:02:03,5Z",
      "2026-11-21T01:02:03+00",
      "2026-11-21T01:02:03+24:00",
      "2026-11-21T01:02:03+00:60",
      "2026-11-21T24:00:00Z",
      "2026-11-21T01:60:00Z",
      "2026-11-21T01:02:61Z",
      "2026-11-21T01:02:60Z",
      "2026-11-21T23:59:60Z",
      "2016-12-31T23:59:60+01:00",
      "2026-00-21T01:02:03Z",
      "2026-13-21T01:02:03Z",
      "2026-11-00T01:02:03Z",
      "2026-11-31T01:02:03Z",
      "2025-02-29T01:02:03Z",
      "1900-02-29T01:02:03Z",
      "0000-01-01T00:00:00+01:00",
      "9999-12-31T23:59:59-01:00",
      "12026-11-21T01:02:03Z",
      "2026-11-21T01:02:03Z ",
      "2026-11-21T01:02:03Z\n",
      "1795222923",
    ]
  ) assert.equal(parseTimestamp(text), null, JSON.stringify(text));
});

Deno.test("any date reads as JavaScript's own", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
      (date) => {
        assert.equal(parseTimestamp(date.toISOString())?.micros, date.getTime() * 1000);
      },
    ),
  );
});

Deno.test("a time with Z reads like one with a zero offset, whatever its digits", () => {
  const digits = (length: number, max: number) =>
    fc.integer({ min: 0, max }).map((n) => String(n).padStart(length, "0"));
  const fraction = fc.stringMatching(/^(\.\d{1,12})?$/);
  fc.assert(
    fc.property(
      fc.tuple(digits(4, 9999), digits(2, 13), digits(2, 32), digits(2, 24), digits(2, 60), digits(2, 61)),
      fraction,
      ([year, month, day, hour, minute, second], rest) => {
        const text = `${year}-${month}-${day}T${hour}:${minute}:${second}${rest}`;
        assert.deepEqual(parseTimestamp(`${text}Z`), parseTimestamp(`${text}+00:00`), text);
      },
    ),
    { numRuns: 2000 },
  );
});

Deno.test("an offset changes only the spelling", () => {
  const offset = fc.integer({ min: -1439, max: 1439 });
  fc.assert(
    fc.property(
      fc.date({ min: new Date("1700-01-01"), max: new Date("2200-01-01"), noInvalidDate: true }),
      offset,
      (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const minutes = Math.abs(offset);
        const zone = `${offset < 0 ? "-" : "+"}${String(Math.floor(minutes / 60)).padStart(2, "0")}:${
          String(minutes % 60).padStart(2, "0")
        }`;
        assert.deepEqual(parseTimestamp(local + zone), parseTimestamp(date.toISOString()));
      },
    ),
  );
});

Deno.test("formatting rounds down and reads back", () => {
  assert.equal(formatMillis(1795222923123999), "2026-11-21T01:02:03.123Z");
  assert.equal(formatMicros(1795222923123009), "2026-11-21T01:02:03.123009Z");
  assert.equal(formatMillis(-1), "1969-12-31T23:59:59.999Z");
  assert.equal(formatMicros(-1), "1969-12-31T23:59:59.999999Z");
  const micros = fc.integer({ min: -8e15, max: 8e15 });
  fc.assert(
    fc.property(micros, (micros) => {
      assert.equal(parseTimestamp(formatMicros(micros))?.micros, micros);
      assert.equal(formatMillis(micros), new Date(Math.floor(micros / 1000)).toISOString());
    }),
  );
  for (const end of [-62_198_755_200_000_000, 253_402_300_800_000_000]) {
    assert.equal(formatMillis(end), new Date(end / 1000).toISOString());
    assert.equal(formatMillis(end - 1000), new Date(end / 1000 - 1).toISOString());
  }
  assert.throws(() => formatMillis(NaN), RangeError);
});
