import assert from "node:assert/strict";
import { clockText, readClockText } from "./clock-text.ts";

const BERLIN = "Europe/Berlin";
const NOW = Date.parse("2026-01-31T07:15:30.250Z");

Deno.test("a time in a repeated hour survives being shown and read", () => {
  // Clocks in Berlin go from 03:00 back to 02:00 on 25 October 2026.
  const first = Date.parse("2026-10-25T00:30:00Z");
  const second = Date.parse("2026-10-25T01:30:00Z");
  assert.equal(clockText(first, BERLIN), "2026-10-25 02:30:00");
  assert.equal(clockText(second, BERLIN), "2026-10-25 02:30:00 +01:00");
  for (const time of [first, second]) {
    assert.equal(readClockText(clockText(time, BERLIN), BERLIN, NOW), time);
  }
});

Deno.test("milliseconds survive", () => {
  const end = Date.parse("2026-03-01T09:59:59.999Z");
  assert.equal(clockText(end, "UTC"), "2026-03-01 09:59:59.999");
  assert.equal(readClockText("2026-03-01 09:59:59.999", "UTC", NOW), end);
  assert.equal(readClockText("2026-03-01 10:59:59.999", BERLIN, NOW), end);
});

Deno.test("every time survives in zones with odd offsets", () => {
  for (const zone of ["UTC", BERLIN, "Asia/Kolkata", "America/St_Johns", "Australia/Lord_Howe"]) {
    for (
      let time = Date.parse("2026-10-24T22:00:00.001Z");
      time < Date.parse("2026-11-02T00:00:00Z");
      time += 1_117_003
    ) {
      assert.equal(
        readClockText(clockText(time, zone), zone, NOW),
        time,
        `${zone} ${new Date(time).toISOString()}`,
      );
    }
  }
});

Deno.test("a date, a minute, an offset and a relative time are understood", () => {
  assert.equal(readClockText("2026-03-01", "UTC", NOW), Date.parse("2026-03-01T00:00:00Z"));
  assert.equal(readClockText(" 2026-03-01T09:05 ", "UTC", NOW), Date.parse("2026-03-01T09:05:00Z"));
  assert.equal(readClockText("2026-03-01 09:05 +0530", BERLIN, NOW), Date.parse("2026-03-01T03:35:00Z"));
  assert.equal(readClockText("2026-03-01 09:05Z", BERLIN, NOW), Date.parse("2026-03-01T09:05:00Z"));
  assert.equal(readClockText("now", BERLIN, NOW), NOW);
  assert.equal(readClockText("now-90m", BERLIN, NOW), NOW - 5_400_000);
});

Deno.test("what is no time is refused", () => {
  for (
    const text of [
      "",
      "yesterday",
      "2026-02-30",
      "2026-13-01",
      "2026-01-01 24:00",
      "2026-01-01 12:60",
      "9:00 pm",
    ]
  ) {
    assert.equal(readClockText(text, "UTC", NOW), null, text);
  }
});
