import assert from "node:assert/strict";
import { advanceClock, type Clocks, readClock } from "./clock-reading.ts";
import type { ClockKnowledge } from "./known-time.ts";

const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const NOW = 20_000 * DAY;
const KNOWN: ClockKnowledge = { knownAt: NOW, leap: null };

const clocks = (core: number, database = core): Clocks => ({ before: core, after: core, database });

/** Runs with the clock ahead by `ahead`, one round each hour. */
function run(known: ClockKnowledge, ahead: number, hours: number): ClockKnowledge {
  let state = known;
  for (let hour = 1; hour <= hours; hour++) {
    const clock = clocks(NOW + ahead + hour * HOUR);
    state = advanceClock(state, clock, { elapsed: HOUR, started: false });
  }
  return state;
}

Deno.test("a clock that follows the running time is not in doubt", () => {
  const state = run(KNOWN, 0, 100);
  assert.deepEqual(state, { knownAt: NOW + 100 * HOUR, leap: null });
  assert.deepEqual(readClock(state, clocks(NOW + 100 * HOUR)), { at: NOW + 100 * HOUR, doubt: null });
});

Deno.test("a clock that leaps ahead is in doubt, and the time advances with the running time", () => {
  const state = run(KNOWN, 40 * DAY, 2);
  assert.deepEqual(readClock(state, clocks(NOW + 40 * DAY + 2 * HOUR)), {
    at: NOW + 2 * HOUR,
    doubt: "the clock is 40 d ahead of the latest time known to have come; " +
      "it is believed after another 2 d 23 h of running",
  });
});

Deno.test("a leap that lasts is believed after 72 hours, a suspension after as long as it took", () => {
  assert.notEqual(run(KNOWN, 40 * DAY, 72).leap, null);
  assert.deepEqual(run(KNOWN, 40 * DAY, 73), { knownAt: NOW + 40 * DAY + 73 * HOUR, leap: null });
  assert.notEqual(run(KNOWN, 8 * HOUR, 8).leap, null);
  assert.deepEqual(run(KNOWN, 8 * HOUR, 9), { knownAt: NOW + 17 * HOUR, leap: null });
});

Deno.test("a step of a day is believed at the start of a process, later only five minutes are", () => {
  const advance = (ahead: number, started: boolean) =>
    advanceClock(KNOWN, clocks(NOW + ahead), { elapsed: 0, started }).leap;
  assert.equal(advance(DAY, true), null);
  assert.notEqual(advance(DAY + 1, true), null);
  assert.equal(advance(300 * SECOND, false), null);
  assert.notEqual(advance(300 * SECOND + 1, false), null);
});

Deno.test("a clock that was set back gives an earlier time, without doubt", () => {
  assert.deepEqual(readClock(KNOWN, clocks(NOW - DAY)), { at: NOW - DAY, doubt: null });
});

Deno.test("the clocks may differ by five minutes, however long the database took to answer", () => {
  const doubt = (between: Clocks) => readClock({ ...KNOWN, knownAt: NOW + DAY }, between).doubt;
  const slow = { before: NOW, after: NOW + HOUR };
  assert.equal(doubt({ ...slow, database: NOW - 300 * SECOND }), null);
  assert.equal(doubt({ ...slow, database: NOW + HOUR + 300 * SECOND }), null);
  assert.match(doubt({ ...slow, database: NOW - 301 * SECOND })!, /5 min 1 s ahead of the database's/);
  assert.match(doubt({ ...slow, database: NOW + HOUR + 301 * SECOND })!, /5 min 1 s behind the database's/);
});
