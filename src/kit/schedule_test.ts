import assert from "node:assert/strict";
import { scheduleMinutes } from "./schedule.ts";

const MILLISECOND = 1000;
const MINUTE = 60_000 * MILLISECOND;
/** The start of an hour. */
const HOUR = 480_000 * 60 * MINUTE;

/** A clock and its timer, which a test moves. */
class Bench {
  now = HOUR + MINUTE / 2;
  rounds: number[] = [];
  waits: number[] = [];
  #due: (() => void) | null = null;
  readonly stop = new AbortController();

  constructor(minutes: string, round: () => Promise<void> | void = () => {}) {
    scheduleMinutes(minutes, {
      signal: this.stop.signal,
      clock: { now: () => this.now },
      later: (milliseconds, work) => {
        this.waits.push(milliseconds);
        this.#due = work;
        return () => void (this.#due = null);
      },
    }, () => {
      this.rounds.push(Math.round((this.now - HOUR) / MINUTE));
      return round();
    });
  }

  get isWaiting(): boolean {
    return this.#due !== null;
  }

  /** The timer fires, `late` microseconds after it was due; negative: early. */
  fire(late = 0): void {
    this.now += this.waits.at(-1)! * MILLISECOND + late;
    this.#due!();
  }
}

Deno.test("rounds run in the minutes of a cron expression", async () => {
  for (const [minutes, expected] of [["*", [1, 2, 3, 4]], ["*/2", [2, 4]], ["3", [3]]] as const) {
    const bench = new Bench(minutes);
    for (let n = 0; n < 4; n++) {
      bench.fire();
      await Promise.resolve().then(() => {}).then(() => {});
    }
    assert.deepEqual(bench.rounds, expected);
  }
  for (const wrong of ["", "60", "*/0", "* * * * *", "a"]) {
    assert.throws(() => new Bench(wrong), TypeError, wrong);
  }
});

Deno.test("a clock that was ahead and is corrected delays no round by more than a minute", () => {
  const bench = new Bench("*");
  bench.now += 40 * 24 * 60 * MINUTE;
  bench.fire();
  bench.now -= 40 * 24 * 60 * MINUTE;
  bench.fire();
  assert.equal(bench.rounds.length > 0, true);
  assert.ok(bench.waits.every((milliseconds) => milliseconds <= 61_000), String(bench.waits));
});

Deno.test("a timer that fires early runs its own minute, once", async () => {
  const bench = new Bench("*");
  bench.fire(-2 * MILLISECOND);
  await new Promise((resolve) => setTimeout(resolve, 0));
  bench.fire();
  assert.deepEqual(bench.rounds, [1, 2]);
});

Deno.test("a round that still runs skips its turn, and nothing runs after the stop", async () => {
  const slow = Promise.withResolvers<void>();
  const bench = new Bench("*", () => slow.promise);
  bench.fire();
  bench.fire();
  assert.deepEqual(bench.rounds, [1]);
  slow.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
  bench.fire();
  assert.deepEqual(bench.rounds, [1, 3]);
  bench.stop.abort();
  assert.equal(bench.isWaiting, false);
});
