import assert from "node:assert/strict";
import { parseTagged, stringifyTagged } from "./json-bigint.ts";

Deno.test("values survive: counts beyond 2^53, and texts and lists that look like one", () => {
  const lookalikes = { text: '{"$bigint":"1"}', $bigint: ["1"], nested: [{ $bigint: ["2"] }], none: null };
  for (
    const value of [
      lookalikes,
      { ...lookalikes, large: 2n ** 53n, list: [1, -(2n ** 70n), "x"] },
      ["\ud800", "\0", '"', 0.1, true],
    ]
  ) assert.deepEqual(parseTagged(stringifyTagged(value)), value);
});

Deno.test("a number beyond 2^53, such as the end of the year 9999, stays a number, alone and beside a bigint", () => {
  const end = 253_402_300_799_000_000;
  for (const value of [[end], [end, 1n]]) assert.deepEqual(parseTagged(stringifyTagged(value)), value);
});

Deno.test("a key of Object.prototype stays a key, alone and beside a bigint", () => {
  const hostile = '{"__proto__":["a"],"toJSON":["b"],"constructor":["c"]}';
  const text = (count: unknown) =>
    JSON.stringify(parseTagged<unknown[]>(stringifyTagged([JSON.parse(hostile), count]))[0]);
  assert.deepEqual([text(1), text(1n)], [hostile, hostile]);
});

Deno.test("a circular value is an error, as in JSON", () => {
  const loop: unknown[] = [];
  loop.push(loop);
  assert.throws(() => stringifyTagged(loop), TypeError);
});
