// Text of an attacker stays data: in JSON string values of known fields, whatever it says.

import assert from "node:assert/strict";
import fc from "fast-check";
import { INJECTIONS } from "../../../test/support/analyst/injections.ts";
import { incident, modelResult, PLAN } from "../../../test/support/analyst/incident.ts";
import { costOf, worstCost } from "./cost.ts";
import { SYSTEM_PROMPT } from "./prompt.ts";
import { prepareRequest } from "./request.ts";

/** Every key that a case may have, at any depth. */
const KEYS = new Set(
  ("incident title severity score status first_seen last_seen summary devices findings finding detector technique device " +
    "confidence explanation destinations address name port measured detail evidence id at record kind trust text addresses " +
    "omitted evidence_no_longer_retained").split(" "),
);

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...keysOf(member)]);
}

/** The whole text is one JSON value with known keys, and holds no mark outside of JSON's own. */
function assertContained(user: string): void {
  const parsed = JSON.parse(user);
  assert.deepEqual(keysOf(parsed).filter((key) => !KEYS.has(key)), []);
  assert.match(user, /^[\x20-\x7e]*$/, "plain ASCII");
  assert.doesNotMatch(user, /[<>]/, "no role marks");
  const strings = [...user.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([text]) => text).join("");
  assert.doesNotMatch(
    strings.replace(/\[(?:device|name|address|payload)-\d+\]/g, ""),
    /\[/,
    "within strings only placeholders have brackets",
  );
}

Deno.test("the corpus has at least 120 cases, through at least 10 channels", () => {
  assert.ok(INJECTIONS.length >= 120, String(INJECTIONS.length));
  assert.equal(new Set(INJECTIONS.map(({ name }) => name)).size, INJECTIONS.length);
});

Deno.test("an injected text reaches the model as a string value, and the instructions stay the same", () => {
  let reached = 0;
  const bound = costOf(PLAN, {
    inputTokens: PLAN.maxInputTokens * 4 + 256,
    outputTokens: PLAN.maxOutputTokens,
  });
  for (const { name, text, detail } of INJECTIONS) {
    const before = JSON.stringify(detail);
    const request = prepareRequest(detail, PLAN);
    assert.equal(request.system, SYSTEM_PROMPT, name);
    assertContained(request.user);
    assert.ok(request.estimatedInputTokens <= PLAN.maxInputTokens, name);
    assert.ok(worstCost(PLAN, request) <= bound, name);
    assert.equal(JSON.stringify(detail), before, name);
    const word = /[A-Za-z]{5,}/.exec(text)![0];
    if (request.user.toLowerCase().includes(word.toLowerCase())) reached++;
  }
  assert.ok(
    reached > INJECTIONS.length * 0.8,
    `only ${reached} of ${INJECTIONS.length} texts were in the request at all`,
  );
});

Deno.test("with nothing to be sent, no name, address or text of a record is in the request", () => {
  for (const { name, text, detail } of INJECTIONS) {
    const { user, placeholders } = prepareRequest(detail, { ...PLAN, send: [] });
    assertContained(user);
    for (
      const hidden of ["10.0.0.12", "203.0.113.7", "203.0.113.9", "updates.example", "ws-12", "t.example"]
    ) {
      assert.ok(!user.includes(hidden), `${name}: ${hidden} in ${user}`);
    }
    // Longer words of the attack itself, which is a name or a payload in all of these cases.
    const words = text.match(/[A-Za-z]{9,}/g) ?? [];
    const own =
      `${SYSTEM_PROMPT} destinations explanation evidence_no_longer_retained authorized placeholder`;
    for (const word of words.filter((one) => !own.includes(one))) {
      assert.ok(!user.includes(word), `${name}: ${word} in ${user}`);
    }
    for (const placeholder of Object.keys(placeholders)) assert.ok(user.includes(placeholder));
  }
});

Deno.test("any text in any field stays in a string value, within the limit of tokens", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.constantFrom(...INJECTIONS.map((one) => one.text)),
    fc.array(
      fc.constantFrom('"', "\\", "{", "}", "[", "]", "<|", "|>", "\n", "[device-1]", "é", "ﷺ", "a.example"),
      {
        maxLength: 60,
      },
    ).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(
      text,
      text,
      text,
      fc.integer({ min: 2000, max: 4000 }),
      (title, summary, name, maxInputTokens) => {
        const detail = incident({
          model_results: [
            modelResult({
              title,
              summary,
              explanation: name,
              destinations: [{ ip: null, name, port: null }],
            }),
          ],
          device_names: { "00000000-0000-4000-8000-000000000001": name },
        });
        for (const send of [[], ["names"], ["addresses"], ["payloads"], PLAN.send] as const) {
          const request = prepareRequest(detail, { ...PLAN, maxInputTokens, send });
          assertContained(request.user);
          assert.ok(request.estimatedInputTokens <= maxInputTokens);
          assert.deepEqual(request, prepareRequest(detail, { ...PLAN, maxInputTokens, send }));
        }
      },
    ),
    { numRuns: 60 },
  );
});
