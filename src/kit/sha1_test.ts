import assert from "node:assert/strict";
import { hash } from "node:crypto";
import fc from "fast-check";
import { shortSha1 } from "./sha1.ts";

Deno.test("a short input has the platform's digest", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 55 }), (bytes) => {
    assert.equal(shortSha1(bytes).toHex(), hash("sha1", bytes, "hex"));
  }));
});

Deno.test("an input of more than one block is refused", () => {
  assert.throws(() => shortSha1(new Uint8Array(56)), RangeError);
});
