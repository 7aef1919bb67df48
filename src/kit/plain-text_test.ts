import assert from "node:assert/strict";
import { plainLine, plainLines, plainValues } from "./plain-text.ts";

const DECEPTIVE = [
  ..."\x01\n\r\t\x1b\x7f\x85",
  ..."\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2028\u2029",
  ..."\u2060\u2066\u2067\u2068\u2069\ufeff\u00ad\u{e0041}",
];

Deno.test("plain text: control, bidirectional, zero-width and separator characters are shown as codes", () => {
  for (const char of DECEPTIVE) {
    const code = `\\u{${char.codePointAt(0)!.toString(16)}}`;
    assert.equal(plainLine(`a${char}b`), `a${code}b`);
    assert.equal(plainLine(plainLine(`a${char}b`)), `a${code}b`, "applied twice");
  }
  assert.equal(plainLine("invoice\u202efdp.exe"), "invoice\\u{202e}fdp.exe");
  assert.equal(plainLine("a\0b\ud83d"), "a\ufffdb\ufffd");
});

Deno.test("plain text: letters of all scripts and emoji stay", () => {
  for (const text of ["Büro-Drucker 2", "会議室", "مكتب", "e\u0301", "\u{1f600}", "<b>&"]) {
    assert.equal(plainLine(text), text);
  }
});

Deno.test("plain text: text of several lines keeps its breaks, values keep their structure", () => {
  assert.equal(plainLines("a\n\tb\u2028c"), "a\n\tb\\u{2028}c");
  assert.deepEqual(plainValues({ a: ["x\u202e", 1, null], b: { c: "\n" } }), {
    a: ["x\\u{202e}", 1, null],
    b: { c: "\\u{a}" },
  });
});
