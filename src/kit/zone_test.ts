import assert from "node:assert/strict";
import { formatMillis, parseTimestamp } from "./time.ts";
import { fromLocal, isZone, type LocalTime, wallTime } from "./zone.ts";

function utc(local: LocalTime, zone: string): string {
  return formatMillis(fromLocal(local, zone));
}

Deno.test("a local time becomes UTC on both sides of a clock change", () => {
  const berlin = "Europe/Berlin";
  assert.equal(utc({ year: 2026, month: 1, day: 15 }, berlin), "2026-01-14T23:00:00.000Z");
  assert.equal(utc({ year: 2026, month: 7, day: 15 }, berlin), "2026-07-14T22:00:00.000Z");
  assert.equal(utc({ year: 2026, month: 10, day: 26 }, berlin), "2026-10-25T23:00:00.000Z");
  assert.equal(utc({ year: 2026, month: 11, day: 0 }, "Asia/Kathmandu"), "2026-10-30T18:15:00.000Z");
});

Deno.test("a repeated hour is the first one, a skipped time is the moment of the jump", () => {
  const newYork = "America/New_York";
  assert.equal(
    utc({ year: 2026, month: 11, day: 1, hour: 1, minute: 30 }, newYork),
    "2026-11-01T05:30:00.000Z",
  );
  assert.equal(
    utc({ year: 2026, month: 3, day: 8, hour: 2, minute: 30 }, newYork),
    "2026-03-08T07:00:00.000Z",
  );
  // Midnight does not exist there on that day.
  assert.equal(utc({ year: 2024, month: 9, day: 8 }, "America/Santiago"), "2024-09-08T04:00:00.000Z");
  assert.equal(
    utc({ year: 2026, month: 4, day: 5, hour: 1, minute: 45 }, "Australia/Lord_Howe"),
    "2026-04-04T14:45:00.000Z",
  );
});

Deno.test("a time becomes the wall clock of its zone", () => {
  const { micros } = parseTimestamp("2026-11-25T23:30:15Z")!;
  assert.deepEqual(wallTime(micros, "Asia/Tokyo"), {
    year: 2026,
    month: 11,
    day: 26,
    hour: 8,
    minute: 30,
    second: 15,
    weekday: 4,
  });
});

Deno.test("every hour of a year survives the way to local time and back, except a repeated one", () => {
  for (const zone of ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"]) {
    let repeated = 0;
    for (let hour = 0; hour < 365 * 24; hour++) {
      const micros = Date.UTC(2026, 0, 1, hour) * 1000;
      const back = fromLocal(wallTime(micros, zone), zone);
      if (back !== micros) repeated++;
    }
    assert.ok(repeated <= 1, `${zone}: ${repeated}`);
  }
});

Deno.test("an unknown zone is none", () => {
  assert.equal(isZone("Europe/Berlin"), true);
  assert.equal(isZone("Europe/Atlantis"), false);
});
