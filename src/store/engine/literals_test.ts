import assert from "node:assert/strict";
import {
  jsonText,
  plainArray,
  storableTime,
  textArray,
  timestampArray,
  timestampLiteral,
} from "./literals.ts";

Deno.test("plain values are written unchanged, null as NULL", () => {
  assert.equal(plainArray([]), "{}");
  assert.equal(
    plainArray([1, -2.5, 2n ** 63n - 1n, true, "0a", null, undefined]),
    "{1,-2.5,9223372036854775807,true,0a,NULL,NULL}",
  );
});

Deno.test("texts are quoted, so that they contain no syntax", () => {
  assert.equal(textArray([]), "{}");
  assert.equal(textArray(["", "a,b", "{}", "NULL", null, undefined]), '{"","a,b","{}","NULL",NULL,NULL}');
  assert.equal(textArray(['say "x"', "back\\slash", '\\"']), '{"say \\"x\\"","back\\\\slash","\\\\\\""}');
  assert.equal(textArray(["nul\0"]), '{"nul\ufffd"}');
});

Deno.test("JSON loses only what jsonb rejects", () => {
  const kept = { text: 'a"\\u0000\\ud800é😀\n', big: 2n ** 63n, none: null };
  assert.equal(
    jsonText(kept),
    '{"text":"a\\"\\\\u0000\\\\ud800é😀\\n","big":9223372036854775808,"none":null}',
  );
  assert.deepEqual(JSON.parse(jsonText({ "k\0": "a\0b", half: "\ud800", other: "x\udc00\\" })), {
    "k\ufffd": "a\ufffdb",
    half: "\ufffd",
    other: "x\ufffd\\",
  });
});

Deno.test("a timestamp keeps every microsecond", () => {
  assert.equal(timestampLiteral(0), "1970-01-01T00:00:00.000000Z");
  assert.equal(timestampLiteral(1), "1970-01-01T00:00:00.000001Z");
  assert.equal(timestampLiteral(-1), "1969-12-31T23:59:59.999999Z");
  assert.equal(timestampLiteral(1_769_860_800_123_456), "2026-01-31T12:00:00.123456Z");
  assert.equal(timestampLiteral(Number.MAX_SAFE_INTEGER), "2255-06-05T23:47:34.740991Z");
  assert.equal(timestampArray([0, null]), "{1970-01-01T00:00:00.000000Z,NULL}");
});

Deno.test("beyond safe integers, a timestamp is exactly the value of the double", () => {
  const year9999 = Date.parse("9999-12-31T23:59:59.999Z") * 1000;
  for (const micros of [year9999, 2 ** 57, 2 ** 53 + 2, -(2 ** 53) - 2, -(2 ** 55) - 1000]) {
    const [, head, fraction] = /^(.*)\.(\d{6})Z$/.exec(timestampLiteral(micros))!;
    const exact = BigInt(Date.parse(`${head}Z`)) * 1000n + BigInt(fraction!);
    assert.equal(exact, BigInt(micros));
  }
});

Deno.test("times outside four-digit years are clamped", () => {
  assert.equal(timestampLiteral(-Infinity), "0001-01-01T00:00:00.000000Z");
  assert.equal(timestampLiteral(Date.UTC(-1, 0) * 1000), "0001-01-01T00:00:00.000000Z");
  assert.equal(timestampLiteral(Date.parse("0000-06-01T00:00:00Z") * 1000), "0001-01-01T00:00:00.000000Z");
  assert.equal(timestampLiteral(Date.parse("0001-01-01T00:00:01Z") * 1000), "0001-01-01T00:00:01.000000Z");
  assert.match(timestampLiteral(Infinity), /^9999-12-31T23:59:59\.999\d{3}Z$/);
  assert.match(timestampLiteral(8.64e18), /^9999-12-31T23:59:59\.999\d{3}Z$/);
  assert.throws(() => timestampLiteral(NaN), RangeError);
});

Deno.test("a time is stored as whole microseconds", () => {
  assert.equal(storableTime(1.7), 1);
  assert.equal(storableTime(-1.2), -2);
});
