import assert from "node:assert/strict";
import fc from "fast-check";
import { DAY, HOUR, NOW } from "../../../../test/support/domain/license-fixtures.ts";
import {
  advance,
  betterKnown,
  firstKnown,
  judgedAt,
  type KnownTime,
  LEAP_PROOF,
  ORDINARY_STEP,
  withLicense,
} from "./time.ts";

const KNOWN: KnownTime = { issuedAt: NOW - 30 * DAY, knownAt: NOW, leap: null };

/** The service runs for so long with a clock that goes on from `clock`, and looks each hour. */
function run(known: KnownTime, clock: number, duration: number): KnownTime {
  let now = advance(known, clock, 0);
  for (let ran = HOUR; ran <= duration; ran += HOUR) now = advance(now, clock + ran, HOUR);
  return now;
}

Deno.test("clock rollback: the licence is judged by the latest time that is known, and by the clock where that is later", () => {
  assert.equal(judgedAt(KNOWN, NOW - 200 * DAY), NOW);
  assert.equal(judgedAt(KNOWN, NOW + 200 * DAY), NOW + 200 * DAY);
});

Deno.test("clock rollback: time goes on from there for as long as the service runs, whatever the clock says", () => {
  const back = run(KNOWN, NOW - 200 * DAY, 40 * DAY);
  assert.equal(judgedAt(back, NOW - 160 * DAY), NOW + 40 * DAY);
});

Deno.test("a clock that goes as it should is followed, over nights and days that are switched off", () => {
  let known = run(KNOWN, NOW, 5 * DAY);
  assert.deepEqual(known, { ...KNOWN, knownAt: NOW + 5 * DAY });
  known = advance(known, NOW + 5 * DAY + ORDINARY_STEP, 0);
  assert.deepEqual(known, { ...KNOWN, knownAt: NOW + 6 * DAY });
});

Deno.test("a clock that was wrong into the future, and is put right within 72 hours of running, leaves nothing behind", () => {
  const wrong = NOW + 5000 * DAY;
  const leapt = run(KNOWN, wrong, LEAP_PROOF - HOUR);
  assert.equal(judgedAt(leapt, wrong + LEAP_PROOF - HOUR), wrong + LEAP_PROOF - HOUR);
  const right = NOW + LEAP_PROOF - HOUR;
  const corrected = advance(leapt, right, 0);
  assert.deepEqual(corrected, { ...KNOWN, knownAt: right });
  // And what it lived there before does not count the next time.
  assert.equal(run(corrected, wrong, HOUR).knownAt, right + HOUR);
});

Deno.test("a time that the service ran in for 72 hours counts for good, also in several parts", () => {
  // Switched off for half a year, as it is told by nothing but the clock.
  const later = NOW + 180 * DAY;
  const confirmed = run(KNOWN, later, LEAP_PROOF);
  assert.deepEqual(confirmed, { ...KNOWN, knownAt: later + LEAP_PROOF });

  const half = run(KNOWN, later, LEAP_PROOF / 2);
  assert.equal(half.knownAt, NOW + LEAP_PROOF / 2);
  const afterNight = advance(half, later + LEAP_PROOF / 2 + 10 * HOUR, 0);
  const whole = run(afterNight, later + LEAP_PROOF / 2 + 10 * HOUR, LEAP_PROOF / 2);
  assert.equal(whole.knownAt, later + LEAP_PROOF + 10 * HOUR);
});

Deno.test("a clock that leaps about proves nothing: each place begins anew", () => {
  let known = KNOWN;
  for (let hour = 0; hour < 300; hour++) {
    const clock = NOW + (hour % 2 === 0 ? 500 : 900) * DAY + hour * HOUR;
    known = advance(known, clock, HOUR);
  }
  assert.equal(known.knownAt, NOW + 300 * HOUR);
});

Deno.test("a licence that is newer than every one before settles what the clock contradicts; an old one never does", () => {
  const dispute = { ...KNOWN, knownAt: NOW + 5000 * DAY };
  const issuedAt = NOW - HOUR;
  assert.deepEqual(withLicense(dispute, issuedAt, NOW), { issuedAt, knownAt: issuedAt, leap: null });
  assert.deepEqual(withLicense(dispute, KNOWN.issuedAt, NOW), dispute);
  assert.deepEqual(withLicense(dispute, KNOWN.issuedAt - DAY, NOW), dispute);
  // Where nothing is contradicted nothing is lost.
  assert.deepEqual(withLicense(KNOWN, issuedAt, NOW), { ...KNOWN, issuedAt });
  assert.deepEqual(withLicense(KNOWN, issuedAt, NOW - HOUR), { ...KNOWN, issuedAt });
});

Deno.test("the issue of a licence is signed: it is at least that late, whatever the clock says", () => {
  const first = firstKnown(NOW, null);
  assert.equal(judgedAt(advance(first, 0, 0), 0), NOW);
  assert.equal(firstKnown(NOW, NOW + DAY).knownAt, NOW + DAY);
  assert.equal(firstKnown(NOW, NOW - DAY).knownAt, NOW);
  assert.equal(withLicense(KNOWN, NOW + DAY, NOW + 2 * DAY).knownAt, NOW + DAY);
});

Deno.test("of two memories the one that knows more counts, and without one the other", () => {
  const later = { ...KNOWN, knownAt: NOW + HOUR };
  const newer = { ...KNOWN, issuedAt: NOW };
  const settled = { issuedAt: NOW + 1, knownAt: NOW + 1, leap: null };
  const lived = { ...KNOWN, leap: { at: NOW + 9 * DAY, lived: HOUR } };
  for (
    const [less, more] of [[KNOWN, later], [later, newer], [newer, settled], [KNOWN, lived], [
      null,
      KNOWN,
    ]] as const
  ) {
    assert.deepEqual([betterKnown(less, more), betterKnown(more, less)], [more, more]);
  }
  assert.equal(betterKnown(null, null), null);
});

const step = fc.record({
  /** Where the clock is set, around now, */
  clock: fc.oneof(fc.integer({ min: -400, max: 20_000 }), fc.constant(0)).map((days) => NOW + days * DAY),
  /** how long the service then runs, */
  hours: fc.integer({ min: 0, max: 100 }),
  /** and whether it is started again before. */
  restarted: fc.boolean(),
});

Deno.test("property: whatever is done to the clock, running never stands still and never goes back", () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
    let known = KNOWN;
    let ran = 0;
    for (const { clock, hours, restarted } of steps) {
      // What is remembered survives as it is; only the hours switched off are not known.
      const before = known;
      known = restarted ? run(structuredClone(known), clock, hours * HOUR) : run(known, clock, hours * HOUR);
      ran += hours * HOUR;
      assert.ok(known.knownAt >= before.knownAt + hours * HOUR);
      assert.ok(
        judgedAt(known, clock) >= KNOWN.knownAt + ran,
        "no licence lasts longer than its time of running",
      );
      assert.ok(judgedAt(known, clock) >= clock);
    }
  }));
});

Deno.test("property: a wrong clock that never stays for 72 hours costs no more than the day that is ordinary", () => {
  const away = fc.record({
    days: fc.integer({ min: 2, max: 20_000 }),
    hours: fc.integer({ min: 0, max: 71 }),
    right: fc.integer({ min: 1, max: 200 }),
  });
  fc.assert(fc.property(fc.array(away, { maxLength: 10 }), (times) => {
    let known = KNOWN;
    let truth = NOW;
    for (const { days, hours, right } of times) {
      known = run(known, truth + days * DAY, hours * HOUR);
      truth += hours * HOUR;
      known = run(known, truth, right * HOUR);
      truth += right * HOUR;
      assert.ok(judgedAt(known, truth) <= truth + ORDINARY_STEP);
    }
  }));
});
