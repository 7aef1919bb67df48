import assert from "node:assert/strict";
import { sha256Hex } from "./hash.ts";
import { constantTimeEqual, digestHex, equalDigests, hmacHex } from "./web-crypto.ts";

Deno.test("HMAC-SHA256 of RFC 4231's test cases", async () => {
  assert.equal(
    await hmacHex(new Uint8Array(20).fill(0x0b), "Hi There"),
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
  );
  assert.equal(
    await hmacHex("Jefe", "what do ya want for nothing?"),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
  assert.equal(
    await hmacHex(
      new Uint8Array(131).fill(0xaa),
      new TextEncoder().encode("Test Using Larger Than Block-Size Key - Hash Key First"),
    ),
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  );
});

Deno.test("HMAC-SHA256 with an empty key", async () => {
  assert.equal(await hmacHex("", ""), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
});

Deno.test("SHA-256 of Web Crypto is that of node:crypto, also of a part of a buffer", async () => {
  const part = new Uint8Array([0, 97, 98, 99, 0]).subarray(1, 4);
  for (const data of ["", "abc", "é", part]) assert.equal(await digestHex(data), sha256Hex(data));
});

Deno.test("digests are equal in all bytes and in length", () => {
  const bytes = new Uint8Array([1, 2, 3]);
  assert.ok(equalDigests(bytes, new Uint8Array([1, 2, 3])));
  for (const other of [[1, 2, 4], [0, 2, 3], [1, 2], [1, 2, 3, 0], []]) {
    assert.ok(!equalDigests(bytes, new Uint8Array(other)), String(other));
    assert.ok(!equalDigests(new Uint8Array(other), bytes), String(other));
  }
});

Deno.test("texts are compared as a whole", async () => {
  assert.ok(await constantTimeEqual("secret", "secret"));
  assert.ok(await constantTimeEqual("", ""));
  for (const other of ["Secret", "secreT", "secret ", "secre", ""]) {
    assert.ok(!await constantTimeEqual("secret", other));
  }
});
