import assert from "node:assert/strict";
import fc from "fast-check";
import { type AnsweredName, MAX_ANSWER_AGE, MAX_NAMES_OF_ADDRESS, namesBefore } from "./dns-names.ts";
import { CLOCK_TOLERANCE } from "./join.ts";

const HOUR = 3_600_000_000;
const NOON = 1_769_860_800_000_000;
const CLIENT = "10.0.0.5";

/** An answer the client received from hour `from` to hour `to`; noon is 0. */
function answered(name: string, from: number, to = from, clientIp = CLIENT): AnsweredName {
  return { name, clientIp, firstSeen: NOON + from * HOUR, lastSeen: NOON + to * HOUR };
}

function names(answers: AnsweredName[], at = 0): string[] {
  return namesBefore(answers, CLIENT, NOON + at * HOUR)
    .map(({ answer, sameClient }) => `${answer.name}${sameClient ? "" : " (others)"}`);
}

Deno.test("the name resolved last before the flow began comes first", () => {
  const answers = [answered("early.example", -3), answered("late.example", -1), answered("after.example", 1)];
  assert.deepEqual(names(answers), ["late.example", "early.example"]);
  assert.deepEqual(names(answers, -2), ["early.example"]);
  assert.deepEqual(names(answers, -4), []);
});

Deno.test("a name resolved both before and after the start is in use", () => {
  const answers = [answered("used.example", -5, 5), answered("once.example", -1)];
  assert.deepEqual(names(answers), ["used.example", "once.example"]);
  assert.deepEqual(names([answered("used.example", -5, 5), answered("also.example", -2, 3)]), [
    "also.example",
    "used.example",
  ]);
});

Deno.test("an answer counts from one day before the flow to the clock tolerance after it", () => {
  const at = (firstSeen: number): AnsweredName => ({
    ...answered("a.example", 0),
    firstSeen,
    lastSeen: firstSeen,
  });
  assert.deepEqual(names([at(NOON + CLOCK_TOLERANCE)]), ["a.example"]);
  assert.deepEqual(names([at(NOON + CLOCK_TOLERANCE + 1)]), []);
  assert.deepEqual(names([at(NOON - MAX_ANSWER_AGE)]), ["a.example"]);
  assert.deepEqual(names([at(NOON - MAX_ANSWER_AGE - 1)]), []);
});

Deno.test("a name resolved on two days is reported once, with the later answer", () => {
  const [yesterday, today] = [answered("a.example", -20), answered("a.example", -2)];
  assert.deepEqual(namesBefore([yesterday, today], CLIENT, NOON), [{ answer: today, sameClient: true }]);
});

Deno.test("at most three names are returned, and none if the client has too many", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => answered(`n${n}.example`, -1 - n / 100));
  assert.deepEqual(names(many(MAX_NAMES_OF_ADDRESS)), ["n0.example", "n1.example", "n2.example"]);
  assert.deepEqual(names(many(MAX_NAMES_OF_ADDRESS + 1)), []);
});

Deno.test("answers to other clients count only if the client has none and they agree", () => {
  const others = [answered("a.example", -2, -2, "10.0.0.6"), answered("a.example", -1, -1, "10.0.0.7")];
  assert.deepEqual(names(others), ["a.example (others)"]);
  assert.deepEqual(names([...others, answered("own.example", -3)]), ["own.example"]);
  assert.deepEqual(names([...others, answered("own.example", 3)]), [], "it has a later answer of its own");
  assert.deepEqual(names([...others, answered("b.example", -3, -3, "10.0.0.8")]), []);
  assert.deepEqual(
    names([...others, answered("b.example", 3, 3, "10.0.0.8")]),
    ["a.example (others)"],
    "not yet answered",
  );
});

Deno.test("the order of answers does not matter", () => {
  const hour = fc.integer({ min: -30, max: 10 });
  const answer = fc.tuple(
    fc.constantFrom("a", "b", "c", "d"),
    hour,
    hour,
    fc.constantFrom(CLIENT, "10.0.0.6"),
  )
    .map(([name, from, length, client]) => answered(name, from, from + Math.abs(length), client));
  fc.assert(fc.property(fc.array(answer, { maxLength: 8 }), (answers) => {
    assert.deepEqual(names(answers), names(answers.toReversed()));
  }));
});
