import assert from "node:assert/strict";
import { parseExact, stringifyExact } from "./json-bigint.ts";

Deno.test("what is written is read: counts beyond 2^53, and texts and lists that look like one", () => {
  const lookalikes = { text: '{"$bigint":"1"}', $bigint: ["1"], nested: [{ $bigint: ["2"] }], none: null };
  for (
    const value of [
      lookalikes,
      { ...lookalikes, large: 2n ** 53n, list: [1, -(2n ** 70n), "x"] },
      ["\ud800", "\0", '"', 0.1, true],
    ]
  ) assert.deepEqual(parseExact(stringifyExact(value)), value);
});

Deno.test("a value that contains itself is an error, as in JSON", () => {
  const loop: unknown[] = [];
  loop.push(loop);
  assert.throws(() => stringifyExact(loop), TypeError);
});
