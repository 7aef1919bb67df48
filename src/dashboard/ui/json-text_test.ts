import assert from "node:assert/strict";
import fc from "fast-check";
import { formatJson, splitHidden, visibleText } from "./json-text.ts";

/** The lines as one string, indented by two spaces per level. */
function prettyJson(json: string): string {
  return formatJson(json).map((line) => {
    const text = line.tokens.map((token) => token.text === ":" ? ": " : token.text).join("");
    return "  ".repeat(line.depth) + text;
  }).join("\n");
}

Deno.test("lays out without changing a character", () => {
  assert.equal(
    prettyJson('{"a":9007199254740993,"b":[1,{"c":null}],"d":{},"e":[]}'),
    '{\n  "a": 9007199254740993,\n  "b": [\n    1,\n    {\n      "c": null\n    }\n  ],\n  "d": {},\n  "e": []\n}',
  );
});

Deno.test("keeps what a parser would lose", () => {
  const text = '{"dup":1,"dup":2,"n":1.0,"e":1E+2,"s":"\\u0041\\/\\ud83d","__proto__":1e999}';
  assert.equal(prettyJson(text).replaceAll(/\n\s*/g, "").replaceAll('": ', '":'), text);
});

Deno.test("equals the common layout of any JSON value", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assert.equal(prettyJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
    assert.equal(prettyJson(JSON.stringify(value, null, 3)), JSON.stringify(value, null, 2));
  }));
});

Deno.test("shows invalid JSON as it is", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const shown = formatJson(text).flatMap(({ tokens }) => tokens.map((token) => token.text)).join("");
    assert.equal(strip(shown), strip(text));
  }));
});

function strip(text: string): string {
  return text.replaceAll(/[ \t\r\n]/g, "");
}

Deno.test("deep nesting does not overflow", () => {
  const depth = 100_000;
  assert.equal(formatJson("[".repeat(depth) + "]".repeat(depth)).length, 2 * depth - 1);
});

Deno.test("distinguishes keys from strings", () => {
  const kinds = formatJson('{"a":"a","b":-1,"c":true}').flatMap(({ tokens }) => tokens)
    .filter(({ kind }) => kind !== "mark").map(({ kind, text }) => `${kind} ${text}`);
  assert.deepEqual(kinds, ['key "a"', 'string "a"', 'key "b"', "number -1", 'key "c"', "word true"]);
});

Deno.test("makes deceptive characters visible", () => {
  assert.deepEqual(splitHidden("plain\ttext\n"), ["plain\ttext\n"]);
  assert.deepEqual(splitHidden("a\u202egpj.exe"), ["a", { hidden: "U+202E" }, "gpj.exe"]);
  assert.deepEqual(splitHidden("\u0000\u200b"), [{ hidden: "U+0000" }, { hidden: "U+200B" }]);
  assert.deepEqual(splitHidden("é 名 😀"), ["é 名 😀"]);
});

Deno.test("text of an attribute names deceptive characters and has a bound", () => {
  assert.equal(visibleText("plain é"), "plain é");
  assert.equal(visibleText("a\u202egpj.exe"), "a‹U+202E›gpj.exe");
  assert.equal(visibleText("A".repeat(10_000)), `${"A".repeat(500)}…`);
});
