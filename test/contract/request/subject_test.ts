import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeSubject, encodeSubject, isSubject } from "../../../src/contract/request/subject.ts";

Deno.test("a subject is one line of visible text without white space at its ends", () => {
  const good = [
    "a",
    "ada",
    "auth0|123",
    "Ada Lovelace",
    "a".repeat(255),
    "Zoë",
    "李雷",
    "ä".repeat(255),
    "💡",
  ];
  for (const subject of good) assert.ok(isSubject(subject), subject);
  const bad = [
    "",
    " a",
    "a ",
    "a\nb",
    "a\rb",
    "a\tb",
    "a\0",
    "a\x7f",
    "a".repeat(256),
    "ä\u0085b",
    "ä\u2028b",
  ];
  bad.push("\u00a0ä", "ä\u3000", "ä\u202eb", "a\u200bb", "ä\ud800", "ä".repeat(256));
  for (const subject of bad) assert.ok(!isSubject(subject), JSON.stringify(subject));
});

Deno.test("subject header: printable ASCII keeps its bytes, other text is marked and percent-encoded", () => {
  for (const plain of ["ada", "auth0|123", "Ada Lovelace", "100%", "Zo%C3%AB", "utf-8''a", "a UTF-8''b"]) {
    assert.equal(encodeSubject(plain), plain);
    assert.equal(decodeSubject(plain), plain);
  }
  for (
    const [subject, header] of [
      ["Zoë", "UTF-8''Zo%C3%AB"],
      ["Zoë Smith 100%", "UTF-8''Zo%C3%AB%20Smith%20100%25"],
      ["李雷", "UTF-8''%E6%9D%8E%E9%9B%B7"],
      ["💡", "UTF-8''%F0%9F%92%A1"],
      // The one form of an ASCII subject that would otherwise read as an encoded one.
      ["UTF-8''Zo%C3%AB", "UTF-8''UTF-8''Zo%25C3%25AB"],
    ] as const
  ) {
    assert.equal(encodeSubject(subject), header);
    assert.equal(decodeSubject(header), subject);
  }
});

Deno.test("subject header: each value has one subject, and each subject one value", () => {
  const subjects = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter(isSubject);
  fc.assert(fc.property(subjects, (subject) => {
    const header = encodeSubject(subject);
    assert.match(header, /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/);
    assert.equal(decodeSubject(header), subject);
  }));
  fc.assert(fc.property(fc.string({ unit: "binary" }).map((text) => `UTF-8''${text}`), (header) => {
    const subject = decodeSubject(header);
    if (subject !== null) assert.equal(encodeSubject(subject), header);
  }));
});
