import assert from "node:assert/strict";
import fc from "fast-check";
import { DAY, HOUR, NOW } from "../../../../test/support/domain/license-fixtures.ts";
import { LEAP_PROOF, ORDINARY_STEP } from "../../health/known-time.ts";
import { advance, betterKnownTime, evaluationTime, firstKnown, type KnownTime, withLicense } from "./time.ts";

const KNOWN: KnownTime = { issuedAt: NOW - 30 * DAY, knownAt: NOW, leap: null };

/** Runs the service for `duration` with the clock starting at `clock`, advancing once per hour. */
function run(known: KnownTime, clock: number, duration: number): KnownTime {
  let now = advance(known, clock, 0);
  for (let ran = HOUR; ran <= duration; ran += HOUR) now = advance(now, clock + ran, HOUR);
  return now;
}

Deno.test("clock rollback: the licence is evaluated at the later of the known time and the clock", () => {
  assert.equal(evaluationTime(KNOWN, NOW - 200 * DAY), NOW);
  assert.equal(evaluationTime(KNOWN, NOW + 200 * DAY), NOW + 200 * DAY);
});

Deno.test("clock rollback: known time keeps advancing while the service runs, whatever the clock says", () => {
  const back = run(KNOWN, NOW - 200 * DAY, 40 * DAY);
  assert.equal(evaluationTime(back, NOW - 160 * DAY), NOW + 40 * DAY);
});

Deno.test("a correct clock is followed, across nights and days switched off", () => {
  let known = run(KNOWN, NOW, 5 * DAY);
  assert.deepEqual(known, { ...KNOWN, knownAt: NOW + 5 * DAY });
  known = advance(known, NOW + 5 * DAY + ORDINARY_STEP, 0);
  assert.deepEqual(known, { ...KNOWN, knownAt: NOW + 6 * DAY });
});

Deno.test("a clock wrong in the future leaves no trace if corrected within 72 hours of running", () => {
  const wrong = NOW + 5000 * DAY;
  const leapt = run(KNOWN, wrong, LEAP_PROOF - HOUR);
  assert.equal(evaluationTime(leapt, wrong + LEAP_PROOF - HOUR), wrong + LEAP_PROOF - HOUR);
  const right = NOW + LEAP_PROOF - HOUR;
  const corrected = advance(leapt, right, 0);
  assert.deepEqual(corrected, { ...KNOWN, knownAt: right });
  // The time run there before does not count the next time.
  assert.equal(run(corrected, wrong, HOUR).knownAt, right + HOUR);
});

Deno.test("a time the service ran at for 72 hours is permanent, also in several parts", () => {
  // Switched off for half a year, with no evidence but the clock.
  const later = NOW + 180 * DAY;
  const confirmed = run(KNOWN, later, LEAP_PROOF);
  assert.deepEqual(confirmed, { ...KNOWN, knownAt: later + LEAP_PROOF });

  const half = run(KNOWN, later, LEAP_PROOF / 2);
  assert.equal(half.knownAt, NOW + LEAP_PROOF / 2);
  const afterNight = advance(half, later + LEAP_PROOF / 2 + 10 * HOUR, 0);
  const whole = run(afterNight, later + LEAP_PROOF / 2 + 10 * HOUR, LEAP_PROOF / 2);
  assert.equal(whole.knownAt, later + LEAP_PROOF + 10 * HOUR);
});

Deno.test("a clock that jumps around proves nothing: each jump restarts the count", () => {
  let known = KNOWN;
  for (let hour = 0; hour < 300; hour++) {
    const clock = NOW + (hour % 2 === 0 ? 500 : 900) * DAY + hour * HOUR;
    known = advance(known, clock, HOUR);
  }
  assert.equal(known.knownAt, NOW + 300 * HOUR);
});

Deno.test("a licence newer than every earlier one resolves a disputed known time; an old one never does", () => {
  const dispute = { ...KNOWN, knownAt: NOW + 5000 * DAY };
  const issuedAt = NOW - HOUR;
  assert.deepEqual(withLicense(dispute, issuedAt, NOW), { issuedAt, knownAt: issuedAt, leap: null });
  assert.deepEqual(withLicense(dispute, KNOWN.issuedAt, NOW), dispute);
  assert.deepEqual(withLicense(dispute, KNOWN.issuedAt - DAY, NOW), dispute);
  // Without a dispute nothing is lost.
  assert.deepEqual(withLicense(KNOWN, issuedAt, NOW), { ...KNOWN, issuedAt });
  assert.deepEqual(withLicense(KNOWN, issuedAt, NOW - HOUR), { ...KNOWN, issuedAt });
});

Deno.test("the issue time of a licence is signed: it is at least that late, whatever the clock says", () => {
  const first = firstKnown(NOW, null);
  assert.equal(evaluationTime(advance(first, 0, 0), 0), NOW);
  assert.equal(firstKnown(NOW, NOW + DAY).knownAt, NOW + DAY);
  assert.equal(firstKnown(NOW, NOW - DAY).knownAt, NOW);
  assert.equal(withLicense(KNOWN, NOW + DAY, NOW + 2 * DAY).knownAt, NOW + DAY);
});

Deno.test("the better of two states wins, and a missing state loses", () => {
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
    assert.deepEqual([betterKnownTime(less, more), betterKnownTime(more, less)], [more, more]);
  }
  assert.equal(betterKnownTime(null, null), null);
});

const step = fc.record({
  /** Where the clock is set, around now, */
  clock: fc.oneof(fc.integer({ min: -400, max: 20_000 }), fc.constant(0)).map((days) => NOW + days * DAY),
  /** how long the service then runs, */
  hours: fc.integer({ min: 0, max: 100 }),
  /** and whether it restarts first. */
  restarted: fc.boolean(),
});

Deno.test("property: whatever happens to the clock, known time never stops while running and never goes back", () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
    let known = KNOWN;
    let ran = 0;
    for (const { clock, hours, restarted } of steps) {
      // State survives a restart unchanged; only the hours switched off are unknown.
      const before = known;
      known = restarted ? run(structuredClone(known), clock, hours * HOUR) : run(known, clock, hours * HOUR);
      ran += hours * HOUR;
      assert.ok(known.knownAt >= before.knownAt + hours * HOUR);
      assert.ok(
        evaluationTime(known, clock) >= KNOWN.knownAt + ran,
        "no licence outlasts its running time",
      );
      assert.ok(evaluationTime(known, clock) >= clock);
    }
  }));
});

Deno.test("property: a wrong clock that never stays for 72 hours costs at most the ordinary day", () => {
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
      assert.ok(evaluationTime(known, truth) <= truth + ORDINARY_STEP);
    }
  }));
});
