import assert from "node:assert/strict";
import fc from "fast-check";
import { JsonError, parseJson, parseKnownJson, parseMembers, stringifyJson } from "./json.ts";

function failure(text: string, limits?: { maxDepth?: number }): JsonError {
  try {
    parseJson(text, limits);
  } catch (error) {
    assert.ok(error instanceof JsonError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: `accepted ${text}` });
}

Deno.test("parseJson reads what JSON.parse reads", () => {
  for (
    const text of [
      "null",
      "true",
      "false",
      "0",
      "-1",
      "1.5",
      "-0.25e-3",
      "1E+2",
      "9007199254740991",
      '""',
      '"\\u00e9\\n\\"\\\\\\/\\b\\f\\r\\t\\ud83d\\ude00 é 😀"',
      " [ ] ",
      "[1,[2,[3]],{}]",
      ' {"a" : 1 ,\r\n\t"b":[true,null]} ',
      '{"":1,"toString":2,"constructor":{"valueOf":3},"0":4,"10":5,"2":6}',
    ]
  ) assert.deepEqual(parseJson(text), JSON.parse(text), text);
});

Deno.test("parseJson agrees with JSON.parse on generated JSON", () => {
  fc.assert(fc.property(fc.json({ stringUnit: "binary" }), (text) => {
    const expected: unknown = JSON.parse(text, (_key, value) => Object.is(value, -0) ? 0 : value);
    // JSON.parse rounds large integers, so those are compared after the same rounding.
    const rounded: unknown = JSON.parse(stringifyJson(parseJson(text)));
    assert.deepEqual(rounded, expected);
  }));
});

Deno.test("parseJson accepts no text that JSON.parse refuses", () => {
  const text = fc.array(
    fc.constantFrom(
      ...'{}[]:,"\\/ -+.0123eEtrufalsn\t\n\r\u0000\u00a0\ufeff\ud83d\ude00é',
      '"a":',
      "null",
      "\\u12",
    ),
    { maxLength: 12 },
  ).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (text) => {
      try {
        parseJson(text);
      } catch {
        return;
      }
      JSON.parse(text);
    }),
    { numRuns: 5000 },
  );
});

Deno.test("parseJson reads every double that JSON.stringify writes", () => {
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
    const parsed = parseJson(JSON.stringify(value));
    assert.equal(Number(parsed), value === 0 ? 0 : value);
  }));
});

Deno.test("parseKnownJson reads the value that parseJson reads", () => {
  const number = fc.oneof(
    fc.constantFrom(
      "-0",
      "-0.0",
      "0e1",
      "-0E-2",
      "1e3",
      "9007199254740993",
      "-9007199254740993",
      "1.0",
      "1e17",
    ),
    fc.constantFrom("1e0", "1.5e+3", "-1.5E16", "12e-3"),
    fc.constantFrom("999999999999999e2", "9007199254740992.0", "0.30000000000000004", "123456789012345.5"),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  );
  const space = fc.constantFrom("", " ", "\n\t");
  const text = fc.array(fc.tuple(number, space), { minLength: 1, maxLength: 5 }).map((numbers) => {
    const items = numbers.map(([digits, gap], at) =>
      `"k${at}":${gap}${digits},${gap}"l${at}":[${digits},${gap}${digits}]`
    );
    return `{${items.join(",")},"text":"1e5 -0 \\u0000","__proto__":{"a":1}}`;
  });
  fc.assert(fc.property(text, (text) => assert.deepStrictEqual(parseKnownJson(text), parseJson(text))));
  fc.assert(fc.property(fc.json(), (text) => assert.deepStrictEqual(parseKnownJson(text), parseJson(text))));
  assert.deepStrictEqual(parseKnownJson("-0"), 0);
});

Deno.test("integers beyond 2^53 - 1 survive as bigint, in any notation", () => {
  assert.equal(parseJson("9007199254740991"), 9007199254740991);
  assert.equal(parseJson("9007199254740993"), 9007199254740993n);
  assert.equal(parseJson("-9007199254740993"), -9007199254740993n);
  assert.equal(parseJson("12345678901234567890123"), 12345678901234567890123n);
  assert.equal(parseJson("9007199254740993.0"), 9007199254740993n);
  assert.equal(parseJson("1e20"), 100000000000000000000n);
  assert.equal(parseJson("1.25e21"), 1250000000000000000000n);
  assert.equal(parseJson("9007199254740993.5"), 9007199254740994);
});

Deno.test("negative zero is zero", () => {
  for (const text of ["-0", "-0.0", "-0e5", "-1e-400"]) assert.ok(Object.is(parseJson(text), 0), text);
});

Deno.test("numbers beyond a double are refused", () => {
  for (const text of ["1e999", "-1e999", "1" + "0".repeat(309), "[1,2e308]"]) {
    assert.match(failure(text).message, /number overflows/);
  }
  assert.match(failure("1e-1000000000000000").message, /exponent out of range/);
  assert.equal(parseJson("0e1000000000000000"), 0);
  assert.equal(parseJson("0." + "0".repeat(400) + "1e401"), 1);
});

Deno.test("bad grammar is refused at its position", () => {
  const cases: [string, number][] = [
    ["", 0],
    ["  ", 2],
    ["nul", 0],
    ["01", 1],
    ["-", 1],
    ["+1", 0],
    [".5", 0],
    ["1.", 2],
    ["1e", 2],
    ["1e+", 3],
    ["NaN", 0],
    ["-Infinity", 1],
    ["1 2", 2],
    ["[1,]", 3],
    ["[1", 2],
    ["[1}", 2],
    ["{", 1],
    ['{"a"}', 4],
    ['{"a":1,}', 7],
    ["{a:1}", 1],
    ['{"a":1', 6],
    ['"abc', 4],
    ['"a\\x"', 2],
    ['"\\u12g4"', 3],
    ["'a'", 0],
    ["\ufeff{}", 0],
    ["[1]\u00a0", 3],
    ["// comment", 0],
  ];
  for (const [text, position] of cases) assert.equal(failure(text).position, position, JSON.stringify(text));
});

Deno.test("raw control characters in a string are refused", () => {
  assert.match(failure('"a\u0000b"').message, /control character in a string at character 2/);
  assert.equal(failure('{"a\tb":1}').position, 3);
  assert.equal(parseJson('"\u007f\u2028"'), "\u007f\u2028");
});

Deno.test("lone surrogates are refused, escaped or raw, in keys and values", () => {
  for (
    const text of [
      '"\\ud83d"',
      '"\\ude00"',
      '"\\ud83d\\ud83d"',
      '"\\ud83d\\n"',
      '"\\ud83dx"',
      '"\ud83d"',
      '"\ude00\ud83d"',
      '"\\n\ud83d"',
      '"\ud83d\\ude00"',
      '{"\\ud83d":1}',
      '{"\ud83d":1}',
    ]
  ) assert.match(failure(text).message, /lone surrogate/, JSON.stringify(text));
  assert.equal(parseJson('"\\ud83d\\ude00"'), "😀");
});

Deno.test("a duplicate key is named with its position", () => {
  const error = failure('{"a":1,"b":{"c":[],"c":2}}');
  assert.match(error.message, /duplicate key "c"/);
  assert.equal(error.position, 19);
  assert.equal(failure('{"a":1,"\\u0061":1}').position, 7);
  assert.equal(failure('{"1":1,"1":1}').position, 7);
  assert.equal(failure('{"__proto__":1,"__proto__":1}').position, 15);
  assert.ok(failure(`{"${"k".repeat(5000)}":1,"${"k".repeat(5000)}":1}`).message.length < 150);
  const members = Array.from({ length: 2000 }, (_, i) => `"k${i}":${i}`).join(",");
  assert.match(failure(`{${members},"k7":0}`).message, /duplicate key "k7"/);
});

Deno.test("depth is limited, and no depth overflows the stack", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  parseJson(nested(128));
  assert.match(failure(nested(129)).message, /nested deeper than 128 levels at character 128/);
  failure(nested(1_000_000));
  failure('{"a":'.repeat(1_000_000));
  parseJson("[1]", { maxDepth: 1 });
  failure("[[1]]", { maxDepth: 1 });
});

Deno.test("__proto__ is a key like any other", () => {
  const value = parseJson('{"__proto__":{"admin":true},"a":1}') as Record<string, unknown>;
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.deepEqual(Object.keys(value), ["__proto__", "a"]);
  assert.equal(value.admin, undefined);
  assert.equal(stringifyJson(value), '{"__proto__":{"admin":true},"a":1}');
});

Deno.test("keys are found correctly whatever was read before", () => {
  // More distinct keys than the table has slots, many of which collide.
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 5000; i++) {
      const key = `k${i * 31}`;
      assert.deepEqual(Object.keys(parseJson(`{"${key}":${i}}`) as object), [key]);
    }
  }
});

Deno.test("parseMembers gives spans and one canonical text", () => {
  const text = ' {"kind": "x" , "payload":{ "b":1.0,"a":[ ] },"n":12}';
  const members = parseMembers(text, "payload");
  assert.deepEqual([...members.keys()], ["kind", "payload", "n"]);
  const payload = members.get("payload");
  assert.ok(payload);
  assert.equal(text.slice(payload.start, payload.end), '{ "b":1.0,"a":[ ] }');
  assert.deepEqual(payload.canonical, new TextEncoder().encode('{"a":[],"b":1}'));
  assert.deepEqual(payload.value, { b: 1, a: [] });
  assert.equal(members.get("kind")?.canonical, null);
  assert.deepEqual(parseMembers("{}", "payload"), new Map());
  assert.throws(() => parseMembers("[]", "payload"), /expected an object at character 0/);
  const repeated = parseMembers('{"a":1,"b":3,"a":2,"b":3}', "payload");
  assert.deepEqual([repeated.get("a")?.conflicting, repeated.get("b")?.conflicting], [true, false]);
  assert.throws(() => parseMembers('{"a":1} x', "payload"), /expected the end of the text at character 8/);
});

Deno.test("stringifyJson writes bigint as an integer", () => {
  assert.equal(
    stringifyJson({ a: 9007199254740993n, b: [1n, "x"], c: undefined }),
    '{"a":9007199254740993,"b":[1,"x"]}',
  );
  assert.equal(stringifyJson({ at: new Date(0), n: -1n }), '{"at":"1970-01-01T00:00:00.000Z","n":-1}');
  assert.equal(stringifyJson(5n), "5");
  assert.equal(stringifyJson([null, true, "é"]), '[null,true,"é"]');
  assert.throws(() => stringifyJson(undefined), TypeError);
});
