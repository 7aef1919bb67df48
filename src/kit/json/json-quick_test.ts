import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { quickMembers as quickMembersOf } from "./json-quick.ts";
import { JsonScanner } from "./json-scanner.ts";

const utf8 = new TextEncoder();

function quickMembers(text: string) {
  return quickMembersOf(text, utf8.encode(text), "payload");
}

/** The scanner's result: members, or a refusal. */
function scanned(text: string) {
  try {
    return new JsonScanner(text).members("payload");
  } catch {
    return null;
  }
}

const number = fc.oneof(
  fc.constantFrom(
    "0",
    "-0",
    "-0.0",
    "1.0",
    "1.50",
    "1e3",
    "1E-7",
    "1e-05",
    "0.00001",
    "0.000012",
    "-0.5",
    "12e+2",
  ),
  fc.constantFrom(
    "9007199254740993",
    "999999999999999",
    "123456789012345.25",
    "0.1000000000000000055",
    "1e400",
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.integer().map(String),
);
const key = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "id.orig_h",
    "",
    "1",
    "10",
    "__proto__",
    "é",
    "\u{1f600}",
    "\uff01",
    "constructor",
  ),
  fc.string({ unit: "grapheme", maxLength: 4 }),
).map((text) => JSON.stringify(text));
const space = fc.constantFrom("", "", "", " ", "\t ", "\r\n");
const json = fc.letrec<{ value: string }>((tie) => {
  const list = fc.array(fc.tuple(space, tie("value"), space), { maxLength: 4 })
    .map((items) => `[${items.map((item) => item.join("")).join(",")}]`);
  const object = fc.tuple(space, fc.array(fc.tuple(key, space, space, tie("value"), space), { maxLength: 5 }))
    .map(([gap, items]) =>
      `{${gap}${items.map(([name, a, b, value, c]) => `${name}${a}:${b}${value}${c}`).join(`,${gap}`)}}`
    );
  const text = fc.string({ unit: "grapheme", maxLength: 5 }).map((value) => JSON.stringify(value));
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      number,
      text,
      fc.constantFrom("true", "false", "null"),
      list,
      object,
      object,
    ),
  };
}).value;

Deno.test("the quick reader finds what the scanner finds, or leaves it to the scanner", () => {
  let quick = 0;
  const line = fc.tuple(space, json, fc.constantFrom("payload", "kind"), json).map((
    [gap, first, name, second],
  ) => `${gap}{"observed_at":${gap}"x"${gap},"${name}":${first},"other":${second}${gap}}${gap}`);
  fc.assert(
    fc.property(line, (text) => {
      const members = quickMembers(text);
      if (members === null) return;
      quick++;
      assert.deepStrictEqual(members, scanned(text));
    }),
    { numRuns: 3000 },
  );
  assert.ok(quick > 500, `only ${quick} texts took the quick path`);
});

Deno.test("real records take the quick path", () => {
  const record =
    '{"kind":"zeek.conn","observed_at":"2026-11-21T01:02:03Z","payload":{"ts":1588205199.82437,"uid":"C1",' +
    '"id.orig_h":"10.0.1.6","duration":5.9604644775390625e-06,"tags":["a","b"],"tunnel":[],"flow":{},"ok":true,' +
    '"missing": null,"id":{"orig_p":50122}}}';
  assert.deepStrictEqual(quickMembers(record), scanned(record));
  assert.notEqual(quickMembers(record), null);
});

Deno.test("unusual texts are left to the scanner", () => {
  const texts = [
    '{"payload":{"a":1,"a":2}}',
    '{"payload":{"a":{"b":1},"a":{}}}',
    '{"payload":{"a":1},"payload":{"a":1}}',
    '{"payload":{"b":1,"1":2}}',
    '{"payload":{"a":"\\u0041"}}',
    '{"payload":{"a":"\ud800"}}',
    '{"payload":{"a":1e999}}',
    '{"payload":{"a":9007199254740993}}',
    `{"payload":${'{"a":'.repeat(200)}1${"}".repeat(200)}}`,
    `{"payload":${"[".repeat(200)}${"]".repeat(200)}}`,
    '{"payload":{"a":01}}',
    '{"payload":{}',
    "[]",
    "{}",
    "",
  ];
  for (const text of texts) assert.equal(quickMembers(text), null, text);
});

Deno.test("the longest text loses nothing, however much it grows", () => {
  const members = Array.from({ length: 4600 }, (_, at) => `"k${99_999 - at}":1e-6`);
  const text = `{"payload":{${members.join(",")}}}`;
  const longest = text.padEnd(64 * 1024);
  const canonical = quickMembers(longest)?.get("payload")?.canonical;
  assert.ok(canonical && canonical.length > text.length, "read by the scanner");
  assert.ok(Buffer.compare(canonical, scanned(longest)!.get("payload")!.canonical!) === 0);
  assert.equal(quickMembers(longest + " "), null);
});

Deno.test("a key set that returns in another order is sorted again", () => {
  for (const keys of [["b", "a"], ["a", "b"], ["b", "a", "c"], ["c", "b", "a"], ["b", "a"]]) {
    const text = `{"payload":{${keys.map((name, at) => `"${name}":${at}`).join(",")}}}`;
    const { canonical } = quickMembers(text)!.get("payload")!;
    const sorted = [...keys].sort().map((name) => `"${name}":${keys.indexOf(name)}`).join(",");
    assert.deepEqual(canonical, utf8.encode(`{${sorted}}`));
  }
});
