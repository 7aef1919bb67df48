import assert from "node:assert/strict";
import { constantTimeEqual, hmacSha256Hex, sha256Hex } from "./hmac.ts";

Deno.test("HMAC-SHA256 of RFC 4231's test cases", () => {
  assert.equal(
    hmacSha256Hex(new Uint8Array(20).fill(0x0b), "Hi There"),
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
  );
  assert.equal(
    hmacSha256Hex("Jefe", "what do ya want for nothing?"),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
  assert.equal(
    hmacSha256Hex(
      new Uint8Array(131).fill(0xaa),
      new TextEncoder().encode("Test Using Larger Than Block-Size Key - Hash Key First"),
    ),
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  );
});

Deno.test("SHA-256 of text and bytes", () => {
  assert.equal(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert.equal(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(sha256Hex("é"), sha256Hex(new Uint8Array([0xc3, 0xa9])));
});

Deno.test("texts are compared as a whole", () => {
  assert.ok(constantTimeEqual("secret", "secret"));
  assert.ok(constantTimeEqual("", ""));
  for (const other of ["Secret", "secreT", "secret ", "secre", ""]) {
    assert.ok(!constantTimeEqual("secret", other));
  }
});
