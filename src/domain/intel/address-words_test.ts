import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalIp, formatIp, parseIp } from "../../kit/net/ip.ts";
import { addressWords, v4Word } from "./address-words.ts";

function bytesOf(text: string): Uint8Array | null {
  const words = new Uint32Array(4);
  const count = addressWords(text, words);
  if (count === 0) return null;
  const bytes = new Uint8Array(count * 4);
  for (let i = 0; i < count; i++) new DataView(bytes.buffer).setUint32(i * 4, words[i]!);
  return bytes;
}

Deno.test("canonical addresses have the words of their bytes", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
    // Many zeros, so that a "::" can occur anywhere.
    fc.array(fc.constantFrom(0, 0, 0, 1, 255), { minLength: 16, maxLength: 16 }).map((list) =>
      Uint8Array.from(list)
    ),
  );
  fc.assert(fc.property(bytes, (ip) => {
    const text = formatIp(ip);
    assert.deepEqual(bytesOf(text), parseIp(text));
  }));
});

Deno.test("text that is not an address has no words", () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."0123456789."), maxLength: 16 }),
    fc.string({ unit: fc.constantFrom(..."0123456789abcdef:::"), maxLength: 41 }),
    fc.ipV6(),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (word) => {
      const bytes = bytesOf(word);
      // A non-canonical spelling may be rejected, but is never another address.
      if (bytes !== null || word === canonicalIp(word)) assert.deepEqual(bytes, parseIp(word));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("non-canonical spellings of IPv4 are rejected", () => {
  for (
    const text of [
      "",
      "1",
      "1.2.3",
      "1.2.3.4.5",
      "01.2.3.4",
      "1.2.3.04",
      "256.1.1.1",
      "1..2.3",
      "1.2.3.",
      ".1.2.3",
      "1.2.3.4 ",
    ]
  ) {
    assert.equal(v4Word(text), -1, text);
  }
  assert.equal(v4Word("255.255.255.255"), 0xffffffff);
  assert.equal(v4Word("0.0.0.0"), 0);
});
