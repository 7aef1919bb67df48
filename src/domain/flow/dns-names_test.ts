import assert from "node:assert/strict";
import fc from "fast-check";
import { type AnsweredName, MAX_ANSWER_AGE, MAX_NAMES_OF_ADDRESS, namesBefore } from "./dns-names.ts";
import { CLOCK_TOLERANCE } from "./join.ts";

const HOUR = 3_600_000_000;
const NOON = 1_769_860_800_000_000;
const CLIENT = "10.0.0.5";

/** Told to the client from one hour of the day to another; noon is 0. */
function told(name: string, from: number, to = from, clientIp = CLIENT): AnsweredName {
  return { name, clientIp, firstSeen: NOON + from * HOUR, lastSeen: NOON + to * HOUR };
}

function names(answers: AnsweredName[], at = 0): string[] {
  return namesBefore(answers, CLIENT, NOON + at * HOUR)
    .map(({ answer, sameClient }) => `${answer.name}${sameClient ? "" : " (others)"}`);
}

Deno.test("the name that the client was told last before the flow began comes first", () => {
  const answers = [told("early.example", -3), told("late.example", -1), told("after.example", 1)];
  assert.deepEqual(names(answers), ["late.example", "early.example"]);
  assert.deepEqual(names(answers, -2), ["early.example"]);
  assert.deepEqual(names(answers, -4), []);
});

Deno.test("a name that was told before and again afterwards is in use", () => {
  const answers = [told("used.example", -5, 5), told("once.example", -1)];
  assert.deepEqual(names(answers), ["used.example", "once.example"]);
  assert.deepEqual(names([told("used.example", -5, 5), told("also.example", -2, 3)]), [
    "also.example",
    "used.example",
  ]);
});

Deno.test("the answer may come as far behind as two clocks differ, and a day before, no further", () => {
  const at = (firstSeen: number): AnsweredName => ({
    ...told("a.example", 0),
    firstSeen,
    lastSeen: firstSeen,
  });
  assert.deepEqual(names([at(NOON + CLOCK_TOLERANCE)]), ["a.example"]);
  assert.deepEqual(names([at(NOON + CLOCK_TOLERANCE + 1)]), []);
  assert.deepEqual(names([at(NOON - MAX_ANSWER_AGE)]), ["a.example"]);
  assert.deepEqual(names([at(NOON - MAX_ANSWER_AGE - 1)]), []);
});

Deno.test("a name that was told on two days is one, by the later answer", () => {
  const [yesterday, today] = [told("a.example", -20), told("a.example", -2)];
  assert.deepEqual(namesBefore([yesterday, today], CLIENT, NOON), [{ answer: today, sameClient: true }]);
});

Deno.test("at most three names are given, none where there are more than tell anything", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => told(`n${n}.example`, -1 - n / 100));
  assert.deepEqual(names(many(MAX_NAMES_OF_ADDRESS)), ["n0.example", "n1.example", "n2.example"]);
  assert.deepEqual(names(many(MAX_NAMES_OF_ADDRESS + 1)), []);
});

Deno.test("what others were told counts only where the client was told nothing, and they agree", () => {
  const others = [told("a.example", -2, -2, "10.0.0.6"), told("a.example", -1, -1, "10.0.0.7")];
  assert.deepEqual(names(others), ["a.example (others)"]);
  assert.deepEqual(names([...others, told("own.example", -3)]), ["own.example"]);
  assert.deepEqual(names([...others, told("own.example", 3)]), [], "it has an answer of its own, later");
  assert.deepEqual(names([...others, told("b.example", -3, -3, "10.0.0.8")]), []);
  assert.deepEqual(
    names([...others, told("b.example", 3, 3, "10.0.0.8")]),
    ["a.example (others)"],
    "not yet told",
  );
});

Deno.test("the order in which answers are given does not matter", () => {
  const hour = fc.integer({ min: -30, max: 10 });
  const answer = fc.tuple(
    fc.constantFrom("a", "b", "c", "d"),
    hour,
    hour,
    fc.constantFrom(CLIENT, "10.0.0.6"),
  )
    .map(([name, from, length, client]) => told(name, from, from + Math.abs(length), client));
  fc.assert(fc.property(fc.array(answer, { maxLength: 8 }), (answers) => {
    assert.deepEqual(names(answers), names(answers.toReversed()));
  }));
});
