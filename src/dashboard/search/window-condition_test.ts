import assert from "node:assert/strict";
import { printComparison } from "../../contract/filter/printer.ts";
import { windowCondition } from "./window-condition.ts";

const MICROS = 1000;

function text(
  from: string,
  to: string,
  { now = "2026-11-25T12:00:00Z", zone = "Europe/Berlin" } = {},
): string {
  const condition = windowCondition({ from, to }, { now: Date.parse(now) * MICROS, zone });
  return condition === null ? "none" : printComparison(condition);
}

Deno.test("a day of the zone is written as its date", () => {
  assert.equal(text("2026-11-23T23:00:00.000Z", "2026-11-24T23:00:00.000Z"), "time:2026-11-24");
  // Yesterday ends now, shortly after midnight.
  assert.equal(
    text("2026-11-23T23:00:00Z", "2026-11-24T23:00:00Z", { now: "2026-11-24T23:00:20Z" }),
    "time:2026-11-24",
  );
  // The clocks go back on this day, which has 25 hours.
  assert.equal(text("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"), "time:2026-10-25");
});

Deno.test("several days are written with the last one, which a range includes", () => {
  assert.equal(text("2026-11-15T23:00:00Z", "2026-11-22T23:00:00Z"), "time:2026-11-16..2026-11-22");
});

Deno.test("a window until now stays open", () => {
  assert.equal(text("2026-11-22T23:00:00Z", "2026-11-25T11:59:58.123Z"), "time>=2026-11-23");
  assert.equal(text("2026-11-25T10:00:00Z", "2026-11-25T12:00:00Z"), "time>=2026-11-25T11:00");
});

Deno.test("times within a day are local", () => {
  assert.equal(
    text("2026-11-24T17:00:00Z", "2026-11-24T21:30:05Z"),
    "time:2026-11-24T18:00..2026-11-24T22:30:05",
  );
  assert.equal(text("2026-11-24T17:00:00Z", "2026-11-24T23:00:00Z"), "time:2026-11-24T18:00..2026-11-24");
});

Deno.test("what a local time cannot say is a timestamp", () => {
  // 02:30 comes twice; written without an offset it is the first one.
  assert.equal(
    text("2026-10-25T01:30:00Z", "2026-10-25T03:00:00.250Z"),
    "time:2026-10-25T01:30:00.000Z..2026-10-25T03:00:00.250Z",
  );
  assert.equal(text("-2h", "now"), "none");
});
