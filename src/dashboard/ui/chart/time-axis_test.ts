import assert from "node:assert/strict";
import { axisLabels, offsetOf, spanLabel, timeTicks } from "./time-axis.ts";

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

Deno.test("ticks reach the end of the window in every zone", () => {
  for (const zone of ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Pacific/Kiritimati"]) {
    const { times } = timeTicks(at("2026-11-27T01:02:00Z"), at("2026-11-27T01:38:00Z"), zone, 4);
    assert.deepEqual(
      times.map((time) => new Date(time).toISOString().slice(11, 16)),
      ["01:10", "01:20", "01:30"],
      zone,
    );
  }
});

Deno.test("ticks lie on round hours of the zone, not of UTC", () => {
  const { times, step } = timeTicks(
    at("2026-06-01T00:00:00Z"),
    at("2026-06-02T00:00:00Z"),
    "Asia/Kolkata",
    5,
  );
  assert.equal(step, 6 * HOUR);
  assert.deepEqual(times.map((time) => new Date(time).toISOString()), [
    "2026-06-01T00:30:00.000Z",
    "2026-06-01T06:30:00.000Z",
    "2026-06-01T12:30:00.000Z",
    "2026-06-01T18:30:00.000Z",
  ]);
});

Deno.test("labels name the day once", () => {
  const times = ["2026-06-01T18:00:00Z", "2026-06-02T00:00:00Z", "2026-06-02T06:00:00Z"].map(at);
  assert.deepEqual(axisLabels(times, 6 * HOUR, "UTC"), ["18:00\n1 Jun", "00:00\n2 Jun", "06:00"]);
  assert.deepEqual(axisLabels(times.slice(1, 2), 24 * HOUR, "UTC"), ["2 Jun"]);
});

Deno.test("the zone's offset changes with its clocks", () => {
  assert.equal(offsetOf(at("2026-10-25T00:30:00Z"), "Europe/Berlin"), 2 * HOUR);
  assert.equal(offsetOf(at("2026-10-25T01:30:00Z"), "Europe/Berlin"), HOUR);
  assert.equal(offsetOf(at("2026-10-25T01:30:00.250Z"), "UTC"), 0);
});

Deno.test("spans are written as short as they can be", () => {
  const label = (from: string, to: string, zone = "UTC") => spanLabel(at(from), at(to), zone);
  assert.equal(label("2026-06-01T14:00:00Z", "2026-06-01T15:00:00Z"), "1 Jun, 14:00 to 15:00");
  assert.equal(
    label("2026-06-01T14:00:00Z", "2026-06-01T15:00:00Z", "Europe/Berlin"),
    "1 Jun, 16:00 to 17:00",
  );
  assert.equal(label("2026-06-01T23:00:00Z", "2026-06-02T01:00:00Z"), "1 Jun, 23:00 to 2 Jun, 01:00");
  assert.equal(label("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"), "1 Jun");
  assert.equal(label("2026-06-01T00:00:00Z", "2026-06-04T00:00:00Z"), "1 Jun to 3 Jun");
  assert.equal(label("2026-06-01T14:00:10Z", "2026-06-01T14:00:15Z"), "1 Jun, 14:00:10 to 14:00:15");
});
