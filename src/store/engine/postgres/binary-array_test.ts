import assert from "node:assert/strict";
import { binaryArray } from "./binary-array.ts";

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

Deno.test("an array is a header and elements with their lengths", () => {
  assert.equal(
    hex(binaryArray("smallint", [1, null, -2])),
    "00000001" + "00000001" + "00000015" + "00000003" + "00000001" + "00000002" + "0001" + "ffffffff" +
      "00000002" + "fffe",
  );
  assert.equal(hex(binaryArray("uuid", [])), "00000000" + "00000000" + "00000b86");
});

Deno.test("a bigint in a bytea column is eight bytes", () => {
  assert.deepEqual(
    binaryArray("bytea", [-2n, null, new Uint8Array([7])]),
    binaryArray("bytea", [
      new Uint8Array([255, 255, 255, 255, 255, 255, 255, 254]),
      null,
      new Uint8Array([7]),
    ]),
  );
});

Deno.test("values that the type cannot hold are rejected", () => {
  assert.throws(() => binaryArray("smallint", [32_768]), RangeError);
  assert.throws(() => binaryArray("integer", [2 ** 31]), RangeError);
  assert.throws(() => binaryArray("integer", [1.5]), RangeError);
  assert.throws(() => binaryArray("bigint", [2n ** 63n]), RangeError);
  assert.throws(() => binaryArray("bigint", [0.5]), RangeError);
  for (
    const text of [
      "",
      "01234567-89ab-cdef-0123-456789abcdeg",
      "0123456789abcdef0123456789abcdef",
      "é".repeat(36),
    ]
  ) {
    assert.throws(() => binaryArray("uuid", [text]), RangeError, text);
  }
  assert.throws(() => binaryArray("inet", ["010.0.0.1"]), RangeError);
});
