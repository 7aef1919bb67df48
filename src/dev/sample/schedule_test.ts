import assert from "node:assert/strict";
import { dueBetween, type Plan, planTrack } from "./schedule.ts";
import { type ClockTime, type Span, TRACKS } from "./tracks.ts";

const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
/** 2026-03-04 15:20:10.5 UTC. */
const LOADED = Date.UTC(2026, 2, 4, 15, 20, 10, 500) * 1000;
/** Recorded years earlier, from 09:00:00.25 UTC: every 40 minutes of a day. */
const RECORDED = Date.UTC(2009, 10, 18, 9, 0, 0, 250) * 1000;
const TIMES = Array.from({ length: 36 }, (_, at) => RECORDED + at * 40 * 60 * SECOND);

function plan(plays: ClockTime | Span, zoneMinutes = 0, times: readonly number[] = TIMES): Plan {
  return planTrack({ ...TRACKS[0]!, plays }, times, { loadedAt: LOADED, zoneMinutes });
}

function all(of: Plan, until = LOADED) {
  return dueBetween(of, of.from - 1, until);
}

Deno.test("a recorded day fills the day before the anchor, at the same local times", () => {
  for (const [recordedZone, zoneMinutes] of [[0, 0], [-8, 60], [-8, -330]] as const) {
    const dues = all(plan({ at: "clock", recordedZone }, zoneMinutes));
    assert.equal(dues.length, TIMES.length);
    for (const { index, at, shift } of dues) {
      assert.ok(at > LOADED - DAY && at <= LOADED);
      assert.equal(at, TIMES[index]! + shift * SECOND, "its times are shifted to when it is due");
      const recorded = (TIMES[index]! + recordedZone * HOUR) % DAY;
      assert.equal((at + zoneMinutes * 60 * SECOND) % DAY, recorded, "the local time of day");
    }
  }
});

Deno.test("a recorded day goes on after the anchor, each record once a day", () => {
  const day = plan({ at: "clock", recordedZone: 0 });
  const next = dueBetween(day, LOADED, LOADED + DAY);
  assert.deepEqual(next.map(({ at }) => at - DAY), all(day).map(({ at }) => at));
  assert.deepEqual(dueBetween(day, LOADED + 9 * DAY, LOADED + 9 * DAY + HOUR).length, 2);
});

Deno.test("however a time is divided, each record is due once", () => {
  const plays: (ClockTime | Span)[] = [
    { at: "clock", recordedZone: -8 },
    { at: "span", hoursAgo: 30 },
    { at: "span", hoursAgo: 20, stretch: 0.1, everyMinutes: 150 },
    { at: "span", hoursAgo: 20, everyMinutes: 60 },
    { at: "span", hoursAgo: 20, scatter: true, everyMinutes: 110 },
  ];
  for (const one of plays) {
    const divided = plan(one);
    const whole = all(divided, LOADED + DAY);
    const parts = [];
    let after = divided.from - 1;
    for (const step of [1, 7 * HOUR, 13, 20 * HOUR, 61 * SECOND, 2 * DAY]) {
      const until = Math.min(after + step, LOADED + DAY);
      parts.push(...dueBetween(divided, after, until));
      after = until;
    }
    assert.deepEqual(parts, whole, JSON.stringify(one));
    assert.deepEqual(whole.map(({ at }) => at), whole.map(({ at }) => at).toSorted((a, b) => a - b));
  }
});

Deno.test("a recording of a while plays once, or again and again", () => {
  const once = all(plan({ at: "span", hoursAgo: 30 }), LOADED + 9 * DAY);
  assert.equal(once.length, TIMES.length);
  assert.equal(Math.floor(once[0]!.at / SECOND), Math.floor((LOADED - 30 * HOUR) / SECOND));
  const stretched = all(plan({ at: "span", hoursAgo: 30, stretch: 0.5 }));
  assert.equal(stretched[1]!.at - stretched[0]!.at, 20 * 60 * SECOND);
  const again = all(plan({ at: "span", hoursAgo: 30, stretch: 0.5, everyMinutes: 13 * 60 }), LOADED);
  assert.equal(again[TIMES.length]!.at - again[0]!.at, 13 * HOUR);
});

Deno.test("scattered records of one second stay together, and come at other times in each round", () => {
  const times = Array.from({ length: 60 }, (_, at) => RECORDED + Math.floor(at / 3) * SECOND + at);
  const scattered = plan({ at: "span", hoursAgo: 4, scatter: true, everyMinutes: 100 }, 0, times);
  const dues = all(scattered);
  const rounds = [0, 1].map((round) =>
    Map.groupBy(
      dues.filter(({ at }) => Math.floor((at - scattered.from - SECOND) / (100 * 60 * SECOND)) === round),
      ({ index }) => Math.floor(index / 3),
    )
  );
  const pauses = rounds.map((round) => [...round.values()].map((group) => group[0]!.shift));
  for (const round of rounds) {
    for (const group of round.values()) assert.equal(new Set(group.map(({ shift }) => shift)).size, 1);
  }
  assert.notDeepEqual(pauses[0], pauses[1]!.map((shift) => shift - 100 * 60));
});
