import assert from "node:assert/strict";
import { personName } from "./person-name.ts";

Deno.test("a person's name is one line of plain text, whatever the provider sends", () => {
  assert.equal(personName({ sub: "s", name: " Ada\u202e nimda\u200b\n " }), "Ada\\u{202e} nimda\\u{200b}");
  assert.equal(personName({ sub: "s", name: "A\u0000\u001b[2Jb" }), "A\ufffd\\u{1b}[2Jb");
  assert.equal(personName({ sub: "s\u2066", name: " ", email: 7 }), "s\\u{2066}");
  assert.equal(personName({ sub: "s", preferred_username: "ada", email: "ada@example.org" }), "ada");
});

Deno.test("a person's name has at most 256 characters and no half of one", () => {
  const name = personName({ sub: "s", name: "\u{1f600}".repeat(300) });
  assert.equal(name.length, 256);
  assert.equal(personName({ sub: "s", name: `x${"\u{1f600}".repeat(300)}` }).isWellFormed(), true);
});
