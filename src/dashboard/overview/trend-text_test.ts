import assert from "node:assert/strict";
import { comparedDays, comparedWeeks } from "./trend-text.ts";

Deno.test("trends: earlier days are named, and unknown ones are left out", () => {
  const figure = { today: 3, yesterday: 5, week_before: 0 };
  assert.equal(comparedDays(figure, String), "5 yesterday by now, 0 a week ago");
  assert.equal(comparedDays(figure, String, true), "5 all of yesterday, 0 a week ago");
  assert.equal(comparedDays({ ...figure, yesterday: null }, String), "0 a week ago");
  assert.equal(
    comparedDays({ today: 3, yesterday: null, week_before: null }, String),
    "no earlier day is known",
  );
});

Deno.test("trends: a week is compared with the one before if that is known", () => {
  assert.equal(comparedWeeks({ value: 21, previous: 17 }, String), "21 in 7 days, 17 in the 7 before");
  assert.equal(comparedWeeks({ value: 21, previous: null }, String), "21 in 7 days");
  assert.equal(comparedWeeks({ value: null, previous: 17 }, String), null);
});
