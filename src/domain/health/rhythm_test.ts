import assert from "node:assert/strict";
import fc from "fast-check";
import { LEAST_PATIENCE_SECONDS, MOST_PATIENCE_SECONDS } from "../../contract/health/conditions.ts";
import { patienceOf, silenceOf, usualPause } from "./patience.ts";
import { HOUR, PAUSE_MINUTES, type SensorWatch, UNKNOWN, updateWatch, WEEK_HOURS, WEEKS } from "./rhythm.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * HOUR;
/** A Monday, 00:00 UTC. */
const MONDAY = Date.UTC(2026, 0, 5) * 1000;

/** A sensor polled each minute. Receipts in microseconds, ascending; `down` is true while nothing polls. */
class Trace {
  watch: SensorWatch | null = null;
  heardAt: number | null = null;
  readonly stale: number[] = [];

  constructor(private readonly receipts: Iterator<number>) {
    this.#next = this.#take();
  }

  #next: number | null;

  #take(): number | null {
    const { done, value } = this.receipts.next();
    return done ? null : value;
  }

  run(from: number, to: number, down: (now: number) => boolean = () => false): this {
    for (let now = from; now < to; now += MINUTE) {
      if (down(now)) continue;
      while (this.#next !== null && this.#next <= now) {
        this.heardAt = this.#next;
        this.#next = this.#take();
      }
      if (this.heardAt === null) continue;
      if (this.isStale(now)) this.stale.push(now);
      this.watch = updateWatch(this.watch, this.heardAt, now);
    }
    return this;
  }

  isStale(now: number): boolean {
    const silence = silenceOf(this.watch, this.heardAt!, now);
    return silence > patienceOf(this.watch, now - silence);
  }

  /** When it became stale after `from`. */
  staleFrom(from: number): number | undefined {
    return this.stale.find((at) => at >= from);
  }

  staleBetween(from: number, to: number): number {
    return this.stale.filter((at) => at >= from && at < to).length;
  }
}

/** Receipts at the selected minutes; the second within the minute varies. */
function* each(
  from: number,
  to: number,
  wanted: (minute: number, at: number) => boolean,
): Generator<number> {
  for (let at = from; at < to; at += MINUTE) {
    const minute = Math.round((at - from) / MINUTE);
    if (wanted(minute, at)) yield at + ((minute * 7919) % 60) * SECOND;
  }
}

const hourOf = (at: number) => Math.floor((at % DAY) / HOUR);
const weekday = (at: number) => (Math.floor(at / DAY) + 3) % 7;
/** Pseudo-random numbers, the same in every run. */
function chance(minute: number): number {
  const x = Math.sin(minute * 12.9898) * 43758.5453;
  return x - Math.floor(x);
}

Deno.test("a busy sensor that dies is stale after fifteen minutes, at any time of day", () => {
  for (const hour of [0, 3, 12, 23]) {
    const death = MONDAY + 3 * DAY + hour * HOUR;
    const trace = new Trace(each(MONDAY, death, () => true)).run(MONDAY, death + DAY);
    assert.equal(trace.staleBetween(MONDAY, death), 0);
    const waited = trace.staleFrom(death)! - death;
    assert.ok(waited > 14 * MINUTE && waited <= 17 * MINUTE, `${waited / MINUTE} min`);
    assert.equal(trace.stale.at(-1), death + DAY - MINUTE, "and stays stale");
  }
});

/** Busy from 7:40 to 18:20 on weekdays, silent at night and on weekends, with some minutes of jitter. */
function isOffice(minute: number, at: number): boolean {
  const jitter = chance(Math.floor(at / DAY)) * 20 * MINUTE;
  const time = at % DAY;
  return weekday(at) < 5 && time >= 7 * HOUR + 40 * MINUTE + jitter && time < 18 * HOUR + jitter &&
    minute % 3 === 0;
}

Deno.test("a branch office's nights are learned after the first one, its weekends too", () => {
  const trace = new Trace(each(MONDAY, MONDAY + 28 * DAY, isOffice)).run(MONDAY, MONDAY + 28 * DAY);
  assert.ok(trace.staleBetween(MONDAY + 18 * HOUR, MONDAY + 32 * HOUR) > 0, "the first night is new");
  assert.equal(trace.staleBetween(MONDAY + 33 * HOUR, MONDAY + 5 * DAY), 0, "the other nights of the week");
  assert.ok(trace.staleBetween(MONDAY + 5 * DAY, MONDAY + 7 * DAY) > 0, "the first weekend is new");
  assert.equal(trace.staleBetween(MONDAY + 7 * DAY + 9 * HOUR, MONDAY + 28 * DAY), 0, "three whole weeks");
});

Deno.test("a branch office that dies by day is stale within half an hour; at night, by the next morning", () => {
  const die = (death: number) => {
    const receipts = each(MONDAY, death, isOffice);
    return new Trace(receipts).run(MONDAY, death + 3 * DAY).staleFrom(death)! - death;
  };
  const noon = die(MONDAY + 22 * DAY + 12 * HOUR);
  assert.ok(noon <= 30 * MINUTE, `${noon / MINUTE} min`);
  const night = MONDAY + 22 * DAY + 22 * HOUR;
  const morning = (die(night) + night) % DAY;
  assert.ok(morning >= 8 * HOUR && morning <= 10 * HOUR, `${morning / HOUR} h`);
  const saturday = MONDAY + 26 * DAY + 5 * HOUR;
  const monday = saturday + die(saturday);
  assert.ok(weekday(monday) === 0 && hourOf(monday) <= 10, "a death on the weekend is reported on Monday");
});

Deno.test("a sensor that sends twice a day is not stale, and once dead is stale within a day", () => {
  const twice = (minute: number) => minute % (12 * 60) === 6 * 60;
  const death = MONDAY + 15 * DAY + 10 * HOUR;
  const trace = new Trace(each(MONDAY, death, twice)).run(MONDAY, death + 3 * DAY);
  assert.equal(trace.staleBetween(MONDAY + 2 * DAY, death), 0);
  const silent = trace.staleFrom(death)! - trace.heardAt!;
  assert.ok(silent > 12 * HOUR && silent <= 24 * HOUR + MINUTE, `${silent / HOUR} h`);
});

Deno.test("a quiet irregular sensor is rarely stale once known, and once dead is stale within two days", () => {
  const rare = (minute: number) => chance(minute) < 1 / 180;
  const death = MONDAY + 60 * DAY;
  const trace = new Trace(each(MONDAY, death, rare)).run(MONDAY, death + 5 * DAY);
  const minutes = trace.staleBetween(MONDAY + 10 * DAY, death);
  assert.ok(minutes < 0.002 * 50 * 24 * 60, `${minutes} of 50 days`);
  assert.ok(trace.staleFrom(death)! - death < 2 * DAY);
});

Deno.test("an outage of the appliance makes nothing stale and teaches nothing", () => {
  const down = (now: number) => now >= MONDAY + 2 * DAY && now < MONDAY + 2 * DAY + 9 * HOUR;
  const receipts = each(MONDAY, MONDAY + 4 * DAY, (_, at) => !down(at));
  const trace = new Trace(receipts).run(MONDAY, MONDAY + 4 * DAY, down);
  assert.deepEqual(trace.stale, []);
  assert.ok(usualPause(trace.watch!.pauses) <= 2 * MINUTE);
  assert.ok(trace.watch!.silences.every((minutes) => minutes <= 3), "no hour was learned as silent");
});

Deno.test("silence adds up over outages: a dead sensor is reported though the appliance restarts every ten minutes", () => {
  const restarting = (now: number) => Math.floor(now / MINUTE) % 10 >= 6;
  const death = MONDAY + DAY;
  const trace = new Trace(each(MONDAY, death, () => true)).run(MONDAY, death + HOUR, restarting);
  const waited = trace.staleFrom(death)! - death;
  assert.ok(waited > 15 * MINUTE && waited < 45 * MINUTE, `${waited / MINUTE} min`);
});

Deno.test("a sensor that is enabled again starts over, as after an outage", () => {
  const off = (now: number) => now >= MONDAY + DAY && now < MONDAY + 9 * DAY;
  const receipts = each(MONDAY, MONDAY + 10 * DAY, (_, at) => !off(at) && at !== MONDAY + 9 * DAY);
  const trace = new Trace(receipts).run(MONDAY, MONDAY + 10 * DAY, off);
  assert.deepEqual(trace.stale, []);
});

Deno.test("a failure of three days teaches no patience: the next one is reported as early", () => {
  const fails = (at: number) => at >= MONDAY + 15 * DAY && at < MONDAY + 18 * DAY;
  const death = MONDAY + 24 * DAY + 12 * HOUR;
  const receipts = each(MONDAY, death, (_, at) => !fails(at));
  const trace = new Trace(receipts).run(MONDAY, death + DAY);
  assert.ok(trace.staleBetween(MONDAY + 15 * DAY, MONDAY + 18 * DAY) > 0);
  assert.ok(trace.staleFrom(death)! - death <= 20 * MINUTE);
  const weeks = MONDAY + 50 * DAY;
  const long = each(MONDAY, weeks, (_, at) => at < MONDAY + 15 * DAY || at >= MONDAY + 45 * DAY);
  const dead = new Trace(long).run(MONDAY, weeks + DAY);
  assert.ok(dead.staleFrom(weeks)! - weeks <= 20 * MINUTE, "nor does a failure of a month");
});

Deno.test("a clock jump in either direction makes no sensor stale", () => {
  for (const jump of [DAY, -DAY, 400 * DAY, -400 * DAY]) {
    let watch: SensorWatch | null = null;
    let now = MONDAY;
    for (let minute = 0; minute < 300; minute++) {
      now += MINUTE + (minute === 150 ? jump : 0);
      // Receipts use the same clock; none arrives in the minute of the jump.
      const heardAt: number = minute === 150 ? watch!.heardAt : now - 5 * SECOND;
      const silence = silenceOf(watch, heardAt, now);
      if (minute > 0) assert.ok(silence <= patienceOf(watch, now - silence), `${jump / DAY} d, ${minute}`);
      watch = updateWatch(watch, heardAt, now);
    }
  }
});

const watches: fc.Arbitrary<SensorWatch> = fc.record({
  heardAt: fc.integer({ min: 0, max: 2e15 }),
  watchedAt: fc.integer({ min: 0, max: 2e15 }),
  silence: fc.integer({ min: 0, max: 30 * DAY }),
  whole: fc.boolean(),
  pauses: fc.array(fc.double({ min: 0, max: 200, noNaN: true }), {
    minLength: PAUSE_MINUTES.length,
    maxLength: PAUSE_MINUTES.length,
  }),
  hourAt: fc.option(fc.integer({ min: 0, max: 500_000 }).map((hour) => hour * HOUR)),
  hourSilence: fc.integer({ min: 0, max: 96 * HOUR }),
  silences: fc.array(fc.integer({ min: UNKNOWN, max: MOST_PATIENCE_SECONDS / 60 }), {
    minLength: WEEK_HOURS * WEEKS,
    maxLength: WEEK_HOURS * WEEKS,
  }),
});
const moments = fc.integer({ min: 0, max: 2e15 });

Deno.test("patience is always within its bounds", () => {
  fc.assert(fc.property(watches, moments, (watch, from) => {
    const patience = patienceOf(watch, from) / SECOND;
    assert.ok(patience >= LEAST_PATIENCE_SECONDS && patience <= MOST_PATIENCE_SECONDS, `${patience}`);
  }));
  assert.equal(patienceOf(null, MONDAY), LEAST_PATIENCE_SECONDS * SECOND);
});

Deno.test("the state keeps its size and ranges for any input", () => {
  fc.assert(fc.property(watches, moments, moments, (before, heardAt, now) => {
    const watch = updateWatch(before, heardAt, now);
    assert.equal(watch.pauses.length, PAUSE_MINUTES.length);
    assert.equal(watch.silences.length, WEEK_HOURS * WEEKS);
    assert.ok(watch.silence >= 0 && watch.silence <= before.silence + 150 * SECOND);
    assert.ok(watch.silences.every((one) => one >= UNKNOWN && one <= 32_767), "fits a smallint");
    assert.ok(
      watch.pauses.reduce((sum, one) => sum + one, 0) <= before.pauses.reduce((a, b) => a + b, 0) + 1,
    );
  }));
});

Deno.test("more long pauses never shorten the usual one", () => {
  const size = fc.nat(PAUSE_MINUTES.length - 1);
  fc.assert(fc.property(watches, size, size, ({ pauses }, a, b) => {
    const [short, long] = a <= b ? [a, b] : [b, a];
    const moved = pauses.with(long, pauses[long]! + pauses[short]!).with(
      short,
      long === short ? pauses[long]! : 0,
    );
    assert.ok(usualPause(moved) >= usualPause(pauses));
  }));
});

Deno.test("a stale silence stays stale until it ends", () => {
  const pauses = fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(pauses, (minutes) => {
      let at = MONDAY;
      const receipts = minutes.map((pause) => at += pause * MINUTE - 7 * SECOND);
      const trace = new Trace(receipts.values());
      let before = { heardAt: trace.heardAt, stale: false };
      for (let now = MONDAY; now < at + 100 * HOUR; now += 30 * MINUTE) {
        trace.run(now, now + 30 * MINUTE);
        if (trace.heardAt === null) continue;
        const stale = trace.isStale(now + 29 * MINUTE);
        if (before.stale && before.heardAt === trace.heardAt) assert.ok(stale);
        before = { heardAt: trace.heardAt, stale };
      }
      assert.ok(before.stale, "no silence exceeds 96 hours without being stale");
    }),
    { numRuns: 6 },
  );
});
