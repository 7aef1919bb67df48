import assert from "node:assert/strict";
import { hash } from "node:crypto";
import fc from "fast-check";
import { shortSha1, shortSha1Bits } from "./sha1.ts";

Deno.test("a short input has the platform's digest", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 55 }), (bytes) => {
    const digest = hash("sha1", bytes, "hex");
    assert.equal(shortSha1(bytes).toHex(), digest);
    assert.equal(shortSha1Bits(bytes), BigInt.asIntN(64, BigInt(`0x${digest.slice(0, 16)}`)));
  }));
});

Deno.test("an input of more than one block is refused", () => {
  assert.throws(() => shortSha1(new Uint8Array(56)), RangeError);
});
