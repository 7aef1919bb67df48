import assert from "node:assert/strict";
import fc from "fast-check";
import { randomness } from "./randomness.ts";

Deno.test("randomness: near 0 for words of any language, near 1 for random letters", () => {
  const words = "google safebrowsing clients4 sueddeutsche telefonica krankenkasse windowsupdate web-12 mail";
  for (const word of words.split(" ")) assert.ok(randomness(word) < 0.2, `${word}: ${randomness(word)}`);
  const random =
    "hxbgwjzqv qkzjvxw dzsqxnpmtw vwjxrkq kfrpnvgvdhw 79ovn ttcff1ov1 e3okkpx98hv0sk41gr6k913unuovo";
  for (const name of random.split(" ")) assert.ok(randomness(name) > 0.7, `${name}: ${randomness(name)}`);
});

Deno.test("randomness: from 0 to 1 for any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const share = randomness(text);
    assert.ok(share >= 0 && share <= 1);
  }));
  assert.equal(randomness(""), 0);
  assert.equal(randomness("a1"), 0, "too short");
});
