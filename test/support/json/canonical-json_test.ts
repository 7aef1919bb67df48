import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalJson } from "./canonical-json.ts";
import { JsonError } from "../../../src/kit/json/json.ts";

Deno.test("keys are sorted and white space is dropped", () => {
  assert.equal(
    canonicalJson(' { "b" : [ 1 , { } ] , "a" : { "d":null, "c":true } } '),
    '{"a":{"c":true,"d":null},"b":[1,{}]}',
  );
  assert.equal(canonicalJson('{"a":1,"b":2}'), '{"a":1,"b":2}');
  assert.equal(canonicalJson('{"a" :1}'), '{"a":1}');
  assert.equal(canonicalJson("[1, 2]"), "[1,2]");
  assert.equal(canonicalJson('{"ab":1,"a":2,"":3,"a.b":4,"B":5}'), '{"":3,"B":5,"a":2,"a.b":4,"ab":1}');
  assert.equal(canonicalJson('{"10":1,"9":2,"1":3}'), '{"1":3,"10":1,"9":2}');
});

Deno.test("a shorter spelling does not hide behind white space of the same length", () => {
  assert.equal(canonicalJson("[1e2, 3]"), "[100,3]");
  assert.equal(canonicalJson('{"a":1e2, "b":3}'), '{"a":100,"b":3}');
  assert.equal(canonicalJson('[ "\\u0001", 1]'), '["\\u0001",1]');
});

Deno.test("keys are sorted by code point, not by UTF-16 unit", () => {
  // U+FF01 stands below U+1F600, whose first UTF-16 unit is 0xD83D.
  assert.equal(canonicalJson('{"😀":1,"！":2,"é":3,"z":4}'), '{"z":4,"é":3,"！":2,"😀":1}');
  assert.equal(canonicalJson('{"\\ud83d\\ude00":1,"\\uff01":2}'), '{"！":2,"😀":1}');
  assert.equal(canonicalJson('{"a😀":1,"a！":2,"😁":3,"😀":4}'), '{"a！":2,"a😀":1,"😀":4,"😁":3}');
});

Deno.test("objects with many members are sorted too", () => {
  const keys = Array.from({ length: 500 }, (_, i) => `k${(i * 7919) % 500}`);
  const expected = [...keys].sort().map((key) => `"${key}":0`).join(",");
  assert.equal(canonicalJson(`{${keys.map((key) => `"${key}":0`).join(",")}}`), `{${expected}}`);
  assert.equal(canonicalJson(`{${expected}}`), `{${expected}}`);
});

Deno.test("strings escape only what they must, non-ASCII stays", () => {
  assert.equal(canonicalJson('"\\u0041\\/\\u00e9\\ud83d\\ude00\\u007f\\u2028"'), '"A/é😀\u007f\u2028"');
  assert.equal(
    canonicalJson('"\\u0022\\u005C\\u0008\\u0009\\u000A\\u000C\\u000D\\u0000\\u001F"'),
    '"\\"\\\\\\b\\t\\n\\f\\r\\u0000\\u001f"',
  );
  assert.equal(canonicalJson('{"\\u0061":"\\n","b":"\\u000a"}'), '{"a":"\\n","b":"\\n"}');
});

Deno.test("numbers are written by their exact decimal value", () => {
  const cases: [string, string][] = [
    ["1", "1"],
    ["1.0", "1"],
    ["1e0", "1"],
    ["10e-1", "1"],
    ["0.1E+1", "1"],
    ["-0", "0"],
    ["-0.00e7", "0"],
    ["0e99999999999999999999", "0"],
    ["-1.50", "-1.5"],
    ["100", "100"],
    ["1e2", "100"],
    ["123.4560e1", "1234.56"],
    ["0.000001", "0.000001"],
    ["0.0000010", "0.000001"],
    ["0.0000001", "1e-7"],
    ["0.00000123", "0.00000123"],
    ["0.000000123", "1.23e-7"],
    ["2.0e-06", "0.000002"],
    ["9007199254740993", "9007199254740993"],
    ["9007199254740993.0", "9007199254740993"],
    ["0.1000000000000000055", "0.1000000000000000055"],
    ["100000000000000000000", "100000000000000000000"],
    ["999999999999999999999.9", "999999999999999999999.9"],
    ["1000000000000000000000", "1e+21"],
    ["12345678901234567890123", "1.2345678901234567890123e+22"],
    ["1e308", "1e+308"],
    ["1e-400", "1e-400"],
    ["0.0000000000000000000000000000000000000001e40", "1"],
  ];
  for (const [text, canonical] of cases) {
    assert.equal(canonicalJson(text), canonical, text);
    assert.equal(canonicalJson(`[ ${text}]`), `[${canonical}]`, text);
  }
});

Deno.test("a short text has no canonical text many times its length", () => {
  const text = `[${"1e308,1e-300,1e20,".repeat(1000)}1]`;
  assert.ok(canonicalJson(text).length < text.length * 3);
});

Deno.test("unacceptable JSON has no canonical text", () => {
  for (const text of ["", "{", "1e999", '{"a":1,"a":1}', '"\\ud800"', "[".repeat(200), "1 1"]) {
    assert.throws(() => canonicalJson(text), JsonError, text);
  }
});

Deno.test("the canonical text of a double is what JSON.stringify writes", () => {
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
    assert.equal(canonicalJson(JSON.stringify(value)), JSON.stringify(value));
    assert.equal(
      canonicalJson(value.toExponential(20)),
      canonicalJson(value.toExponential(20).toUpperCase()),
    );
  }));
});

Deno.test("canonical text is canonical and keeps the value", () => {
  fc.assert(fc.property(fc.json({ stringUnit: "binary" }), (text) => {
    const canonical = canonicalJson(text);
    assert.equal(canonicalJson(canonical), canonical);
    assert.deepEqual(
      JSON.parse(canonical),
      JSON.parse(text, (_key, value) => Object.is(value, -0) ? 0 : value),
    );
  }));
});
