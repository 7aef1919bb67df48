import assert from "node:assert/strict";
import { derivedKey, Sha256, sha256Bytes, sha256Hex } from "./hash.ts";

Deno.test("SHA-256 of text and bytes", () => {
  assert.equal(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert.equal(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(sha256Hex("é"), sha256Hex(new Uint8Array([0xc3, 0xa9])));
});

Deno.test("SHA-256 of parts, as bytes and in base64url", () => {
  assert.equal(new Sha256().update("a").update(new Uint8Array([98, 99])).hex(), sha256Hex("abc"));
  assert.equal(sha256Bytes("abc").toHex(), sha256Hex("abc"));
  const expected = sha256Bytes("abc").toBase64({ alphabet: "base64url", omitPadding: true });
  assert.equal(new Sha256().update("abc").base64url(), expected);
});

Deno.test("a derived key is the HMAC of its purpose", () => {
  assert.equal(
    new Uint8Array(derivedKey("Jefe", "what do ya want for nothing?")).toHex(),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});
