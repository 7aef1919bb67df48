import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { countLines, splitLines } from "./ndjson.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const split = (text: string) => splitLines(encoder.encode(text)).map((line) => decoder.decode(line));

Deno.test("lines are split at LF and CR LF, blank ones are skipped", () => {
  assert.deepEqual(split(""), []);
  assert.deepEqual(split("a"), ["a"]);
  assert.deepEqual(split("a\nb\n"), ["a", "b"]);
  assert.deepEqual(split("a\r\nb\r\n\r\n"), ["a", "b"]);
  assert.deepEqual(split("\n\n \t\r\n\r\r\na\n  "), ["a"]);
  assert.deepEqual(split(" a \n\tb"), [" a ", "\tb"]);
  assert.deepEqual(split("a\rb\n"), ["a\rb"]);
  assert.deepEqual(split("a\u2028b\u0085c\u00a0"), ["a\u2028b\u0085c\u00a0"]);
});

Deno.test("lines are views of the body and keep bytes that are not UTF-8", () => {
  const body = new Uint8Array([0xff, 0xfe, 0x0a, 0x00, 0x80]);
  const lines = splitLines(body);
  assert.deepEqual(lines.map((line) => [...line]), [[0xff, 0xfe], [0x00, 0x80]]);
  assert.ok(lines.every((line) => line.buffer === body.buffer));
});

Deno.test("joined lines split into themselves", () => {
  const line = fc.string({ minLength: 1 }).filter((text) => /[^ \t\r\n]/.test(text) && !/\n|\r$/.test(text));
  fc.assert(fc.property(fc.array(line), fc.constantFrom("\n", "\r\n", "\n\n"), (lines, end) => {
    assert.deepEqual(split(lines.join(end)), lines);
  }));
});

Deno.test("any bytes give as many counted as split lines, up to the limit", () => {
  const bytes = fc.array(
    fc.constantFrom(...[..." \t\r\n\nax\0"].map((letter) => letter.charCodeAt(0)), 0xff),
  );
  fc.assert(fc.property(bytes, fc.nat(5), (content, limit) => {
    const body = new Uint8Array(content);
    const lines = splitLines(body);
    assert.equal(countLines(body, Infinity), lines.length);
    assert.equal(countLines(body, limit), Math.min(limit, lines.length));
    // Only line ends and blanks are left out, before and between lines.
    const isBlank = (byte: number) => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
    assert.deepEqual(
      lines.flatMap((line) => [...line].filter((byte) => !isBlank(byte))),
      content.filter((byte) => !isBlank(byte)),
    );
    for (const line of lines) assert.ok(!line.includes(0x0a) && !line.every(isBlank));
  }));
});

Deno.test("a Buffer and a view are split like the bytes that they show", () => {
  const body = Buffer.from("before\na\nb\nafter").subarray(7, 10);
  assert.deepEqual(splitLines(body), [new Uint8Array([0x61]), new Uint8Array([0x62])]);
  assert.equal(countLines(body, 9), 2);
});
