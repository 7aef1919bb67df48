import assert from "node:assert/strict";
import { clockOf, dateInWords, dayAt, dayOf, daysOfMonth, shiftDay } from "./day.ts";

const HOUR = 3_600_000_000;

Deno.test("a day of a zone has 24 hours, 23 or 25 when its clocks change", () => {
  const length = (date: string, zone: string) => {
    const { from, to } = dayOf(date, zone);
    return (to - from) / HOUR;
  };
  assert.equal(length("2026-03-28", "Europe/Berlin"), 24);
  assert.equal(length("2026-03-29", "Europe/Berlin"), 23);
  assert.equal(length("2026-10-25", "Europe/Berlin"), 25);
  assert.equal(length("2026-10-25", "UTC"), 24);
  // Half an hour, on Lord Howe Island.
  assert.equal(length("2026-04-05", "Australia/Lord_Howe"), 24.5);
});

Deno.test("each day begins when the one before ends, whatever the zone", () => {
  for (const zone of ["UTC", "Asia/Kathmandu", "America/Sao_Paulo", "Pacific/Apia"]) {
    for (const date of daysOfMonth("2018-11")) {
      const { to } = dayOf(date, zone);
      assert.equal(dayOf(shiftDay(date, 1), zone).from, to, `${date} ${zone}`);
      assert.equal(dayAt(to - 1, zone), date, zone);
      assert.equal(dayAt(to, zone), shiftDay(date, 1), zone);
    }
  }
});

Deno.test("dates shift over months and years, and are written in words", () => {
  assert.equal(shiftDay("2026-01-01", -1), "2025-12-31");
  assert.equal(shiftDay("2024-02-28", 1), "2024-02-29");
  assert.deepEqual([daysOfMonth("2024-02").length, daysOfMonth("2026-02").at(-1)], [29, "2026-02-28"]);
  assert.equal(dateInWords("2026-01-31"), "Saturday, 31 January 2026");
  assert.equal(clockOf(Date.UTC(2026, 6, 1, 22, 5) * 1000, "Europe/Berlin"), "00:05");
});
