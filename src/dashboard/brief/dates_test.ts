import assert from "node:assert/strict";
import { dateInWords, monthInWords, shiftDate, shiftMonth, weeksOf } from "./dates.ts";

Deno.test("dates and months shift over the ends of years", () => {
  assert.equal(shiftDate("2026-01-01", -1), "2025-12-31");
  assert.equal(shiftDate("2024-02-28", 1), "2024-02-29");
  assert.equal(shiftMonth("2026-01", -1), "2025-12");
  assert.equal(shiftMonth("2025-12", 1), "2026-01");
});

Deno.test("a month is whole weeks from Monday, with its days in order", () => {
  for (const month of ["2026-02", "2026-03", "2024-02", "2026-11"]) {
    const weeks = weeksOf(month);
    assert.ok(weeks.every((week) => week.length === 7));
    const days = weeks.flat().filter((date) => date !== null);
    assert.deepEqual(days, [...days].sort());
    assert.equal(days[0], `${month}-01`);
  }
  // 1 February 2026 is a Sunday.
  assert.deepEqual(weeksOf("2026-02")[0], [null, null, null, null, null, null, "2026-02-01"]);
});

Deno.test("dates in words", () => {
  assert.equal(dateInWords("2026-01-30"), "Friday, 30 January 2026");
  assert.equal(monthInWords("2026-01"), "January 2026");
});
