import assert from "node:assert/strict";
import fc from "fast-check";
import { randomness } from "./name-look.ts";

Deno.test("name look: words are words, whatever the language, and chance is chance", () => {
  const words = "google safebrowsing clients4 sueddeutsche telefonica krankenkasse windowsupdate web-12 mail";
  for (const word of words.split(" ")) assert.ok(randomness(word) < 0.2, `${word}: ${randomness(word)}`);
  const chance =
    "hxbgwjzqv qkzjvxw dzsqxnpmtw vwjxrkq kfrpnvgvdhw 79ovn ttcff1ov1 e3okkpx98hv0sk41gr6k913unuovo";
  for (const name of chance.split(" ")) assert.ok(randomness(name) > 0.7, `${name}: ${randomness(name)}`);
});

Deno.test("name look: a share of one for any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const share = randomness(text);
    assert.ok(share >= 0 && share <= 1);
  }));
  assert.equal(randomness(""), 0);
  assert.equal(randomness("a1"), 0, "too short to tell");
});
