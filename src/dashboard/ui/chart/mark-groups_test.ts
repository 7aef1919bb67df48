import assert from "node:assert/strict";
import type { Severity } from "../../../contract/record/kinds.ts";
import { groupMarks } from "./mark-groups.ts";

const event = (at: number, lane = "a", severity: Severity = "low") => ({ at, lane, severity });
const marksOf = (events: ReturnType<typeof event>[]) => groupMarks(events, ({ at }) => at);

Deno.test("marks: events apart from each other stay single", () => {
  const marks = marksOf([event(10), event(40), event(70)]);
  assert.deepEqual(marks.map(({ events, x }) => [events.length, x]), [[1, 10], [1, 40], [1, 70]]);
});

Deno.test("marks: events on top of each other are one group of the worst severity, in order of time", () => {
  const [group, ...rest] = marksOf([event(10), event(12, "a", "critical"), event(14, "a", "high")]);
  assert.equal(rest.length, 0);
  assert.equal(group?.severity, "critical");
  assert.deepEqual(group?.events.map(({ at }) => at), [10, 12, 14]);
  assert.equal(group?.x, 12);
});

Deno.test("marks: lanes do not join", () => {
  assert.deepEqual(marksOf([event(10, "a"), event(10, "b")]).map(({ lane }) => lane), ["a", "b"]);
});

Deno.test("marks: a dense lane is a row of groups that do not cover each other, and nothing is lost", () => {
  const events = Array.from({ length: 400 }, (_, at) => event(at * 2));
  const marks = marksOf(events);
  assert.deepEqual(marks.flatMap(({ events }) => events.map(({ at }) => at)), events.map(({ at }) => at));
  assert.ok(marks.length >= 8, `${marks.length} marks`);
  for (const [at, mark] of marks.entries()) {
    const next = marks[at + 1];
    if (next !== undefined) assert.ok(next.x - mark.x >= (next.width + mark.width) / 2);
  }
});
