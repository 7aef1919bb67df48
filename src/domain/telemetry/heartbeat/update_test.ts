import assert from "node:assert/strict";
import fc from "fast-check";
import { type Release, RELEASE_VERSION } from "../../../contract/telemetry/registration.ts";
import { isNewer, MAX_NOTICE_LENGTH, plainText, sanitizeRelease } from "./update.ts";

const CASES: [string, string][] = [
  ["Fixes a crash in the pipeline.", "Fixes a crash in the pipeline."],
  ["  Grüße,\n\n\tWelt\u2028!  ", "Grüße, Welt !"],
  ["<script>alert(1)</script>", "‹script›alert(1)‹/script›"],
  ["\uff1cimg src=x onerror=y\uff1e", "‹img src=x onerror=y›"],
  ["&lt;b&gt; &#x202e; R&D, a & b", "& lt;b& gt; & #x202e; R& D, a & b"],
  ["[click](https://evil.example) `code` **bold** __x__", "(click)(https://evil.example) 'code' bold --x--"],
  ["safe\u202etxt.exe\u2066\u200b\ufeff\u061c", "safetxt.exe"],
  ["a\u0000b\u001b[31mred\u0007\u009b", "a b (31mred"],
  ["broken \ud800 half", "broken half"],
  [`Z${"\u0335".repeat(50)}algo`, `Z${"\u0335".repeat(2)}algo`],
  ["", ""],
];
for (const [given, expected] of CASES) {
  Deno.test(`the notice is untrusted: ${JSON.stringify(given).slice(0, 40)}`, () => {
    assert.equal(plainText(given).replace(/ {2,}/g, " "), expected);
  });
}

Deno.test("the notice: plain text, length-limited, no markup, no link rendering, for any input", () => {
  const nasty = fc.constantFrom(
    "<",
    ">",
    "[",
    "]",
    "&#x3c;",
    "\u202e",
    "\u0000",
    "\ud800",
    "\ufdfa",
    "\u0301",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(nasty, fc.string({ unit: "binary" })), { maxLength: 200 }), (parts) => {
      const text = plainText(parts.join(""));
      assert.ok([...text].length <= MAX_NOTICE_LENGTH);
      assert.doesNotMatch(text, /[<>[\]`\\]|\p{C}|\p{Zl}|\p{Zp}|&[#\w]|\p{M}{3}/u);
      assert.equal(text, text.trim());
      assert.ok(text.isWellFormed());
    }),
    { numRuns: 2000 },
  );
});

Deno.test("a long notice is cut between characters", () => {
  const text = plainText("😀".repeat(600));
  assert.equal([...text].length, MAX_NOTICE_LENGTH);
  assert.ok(text.endsWith("😀…"));
});

Deno.test("only the notice of a release is changed", () => {
  const release: Release = {
    latest_version: "1.2.3",
    channel: "stable",
    released_on: "2026-01-31",
    security: true,
    notice: "<b>",
    url: "https://ndr.example/releases/1.2.3",
  };
  assert.deepEqual(sanitizeRelease(release), { ...release, notice: "‹b›" });
});

/** By rising precedence, as defined by semver.org. */
const RISING = [
  "0.0.1",
  "0.9.10",
  "0.10.0",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "2.0.0",
  "10.0.0",
];

Deno.test("versions compare as semver; older or equal is no update", () => {
  for (const [i, one] of RISING.entries()) {
    for (const [j, other] of RISING.entries()) assert.equal(isNewer(one, other), i > j, `${one} ${other}`);
  }
});

Deno.test("an invalid version is never an update", () => {
  for (
    const text of [
      "",
      "latest",
      "v2.0.0",
      "2.0",
      "2.0.0.0",
      "2.0.0+build",
      " 2.0.0",
      "2.0.0-",
      "9".repeat(400),
    ]
  ) {
    assert.equal(RELEASE_VERSION.test(text), false, text);
    assert.equal(isNewer(text, "1.0.0"), false, text);
    assert.equal(isNewer("2.0.0", text), false, text);
  }
});
