import assert from "node:assert/strict";
import { scheduleMinutes } from "./schedule.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** The start of an hour. */
const HOUR = 480_000 * 60 * MINUTE;

/** What waits for a point in time of the wall clock, as `Deno.cron` does. */
interface Task {
  due: number;
  name: string;
  schedule: string;
  handler: () => void | Promise<void>;
}

/** A wall clock that leaps, a monotonic clock that does not, and what waits for either; milliseconds. */
class Bench {
  monotonic = 0;
  /** Start of the last round. */
  started = 0;
  /** Wall time at the monotonic zero. */
  offset = HOUR + MINUTE / 2;
  /** Minutes of the wall clock since the start of the hour. */
  rounds: number[] = [];
  logged: { message: string; task: string; seconds: number }[] = [];
  tasks: Task[] = [];
  guard: (() => void) | null = null;
  readonly stop = new AbortController();
  #guardDue = 0;

  constructor(minutes: string, round: () => Promise<void> | void = () => {}) {
    scheduleMinutes(minutes, {
      name: "observation",
      signal: this.stop.signal,
      logger: { warn: (message, fields) => this.logged.push({ message, ...fields }) },
      wall: () => this.now,
      monotonic: () => this.monotonic,
      repeat: (milliseconds, work) => {
        this.#guardDue = this.monotonic + milliseconds;
        this.guard = () => {
          this.#guardDue += milliseconds;
          work();
        };
        return () => void (this.guard = null);
      },
      cron:
        ((name: string, schedule: string, { signal }: { signal: AbortSignal }, handler: Task["handler"]) => {
          const task = { name, schedule, handler, due: 0 };
          this.#plan(task);
          this.tasks.push(task);
          signal.addEventListener("abort", () => this.tasks = this.tasks.filter((one) => one !== task));
          return Promise.resolve();
        }) as unknown as typeof Deno.cron,
    }, () => {
      this.started = this.monotonic;
      this.rounds.push(Math.round((this.now - HOUR) / MINUTE));
      return round();
    });
  }

  get now(): number {
    return this.offset + this.monotonic;
  }

  /** Time passes, a second at a time. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.monotonic + milliseconds;
    while (this.monotonic < end) {
      this.monotonic += SECOND;
      for (const task of [...this.tasks]) {
        if (task.due > this.now) continue;
        void task.handler();
        this.#plan(task);
      }
      if (this.monotonic >= this.#guardDue) this.guard?.();
      // The end of a round is some promises away.
      for (let step = 0; step < 5; step++) await Promise.resolve();
    }
  }

  #plan(task: Task): void {
    const [minutes] = task.schedule.split(" ");
    task.due = Math.floor(this.now / MINUTE + 1) * MINUTE;
    while (!matches(minutes!, Math.round(task.due / MINUTE) % 60)) task.due += MINUTE;
  }
}

function matches(minutes: string, minute: number): boolean {
  if (minutes === "*") return true;
  const [, step] = minutes.split("/");
  return step === undefined ? minute === Number(minutes) : minute % Number(step) === 0;
}

Deno.test("rounds run as a named cron task in the minutes of its expression", async () => {
  for (const [minutes, expected] of [["*", [1, 2, 3, 4]], ["*/2", [2, 4]], ["3", [3]]] as const) {
    const bench = new Bench(minutes);
    assert.match(bench.tasks[0]!.name, /^observation-\d+$/);
    assert.equal(bench.tasks[0]!.schedule, `${minutes} * * * *`);
    await bench.pass(4 * MINUTE);
    assert.deepEqual(bench.rounds, expected);
    assert.deepEqual(bench.logged, []);
  }
  for (const wrong of ["", "60", "*/0", "* * * * *", "a"]) {
    assert.throws(() => new Bench(wrong), TypeError, wrong);
  }
});

Deno.test("after a clock that was ahead the schedule goes on by the corrected one", async () => {
  for (const [minutes, period] of [["*", 1], ["*/5", 5], ["3", 60]] as const) {
    const bench = new Bench(minutes);
    await bench.pass(SECOND);
    bench.offset += 40 * 24 * 60 * MINUTE;
    await bench.pass(MINUTE * period);
    bench.offset -= 40 * 24 * 60 * MINUTE;
    const before = bench.rounds.length;
    assert.ok(before > 0, "rounds by the clock that was ahead");
    await bench.pass((period + 0.5) * MINUTE);
    assert.equal(bench.rounds.length, before + 1);
    assert.deepEqual(bench.logged, [
      { message: "the clock was set back", task: "observation", seconds: 40 * 24 * 3600 },
    ]);
    await bench.pass(3 * period * MINUTE);
    assert.equal(bench.logged.length, 1, "once");
    assert.equal(bench.rounds.length, before + 4);
    assert.equal(bench.tasks.length, 1);
  }
});

Deno.test("a clock that is slowly put right is no complaint", async () => {
  const bench = new Bench("*");
  for (let step = 0; step < 10; step++) {
    bench.offset -= 5 * SECOND;
    await bench.pass(MINUTE / 2);
  }
  assert.deepEqual(bench.logged, []);
  assert.equal(bench.rounds.length, 4);
});

Deno.test("a round that cron does not run is run two minutes overdue, once, and the schedule goes on", async () => {
  for (const [minutes, period] of [["*", 1], ["*/5", 5], ["3", 60]] as const) {
    const bench = new Bench(minutes);
    await bench.pass(period * MINUTE);
    const before = bench.rounds.length;
    bench.tasks = [];
    await bench.pass(bench.started + (period + 2) * MINUTE - SECOND - bench.monotonic);
    assert.equal(bench.rounds.length, before);
    await bench.pass(MINUTE / 2 + SECOND);
    assert.equal(bench.rounds.length, before + 1);
    assert.deepEqual(bench.logged.map(({ message }) => message), ["a round was overdue"]);
    assert.ok(bench.logged[0]!.seconds >= 120 && bench.logged[0]!.seconds <= 150);
    await bench.pass(3 * period * MINUTE);
    assert.equal(bench.logged.length, 1, "once");
    assert.ok(bench.rounds.length >= before + 3, `${bench.rounds.length - before} rounds`);
    assert.equal(bench.tasks.length, 1);
  }
});

Deno.test("a clock that leaps forward runs the round that became due, without a complaint", async () => {
  const bench = new Bench("*");
  await bench.pass(2 * MINUTE);
  bench.offset += 3 * 60 * MINUTE;
  await bench.pass(2 * MINUTE);
  assert.deepEqual(bench.logged, []);
  assert.ok(bench.rounds.length >= 4);
});

Deno.test("a timer that fires early runs its own minute, once", async () => {
  const bench = new Bench("*");
  await bench.pass(29 * SECOND);
  // The task fires a second early, and plans the minute itself next.
  void bench.tasks[0]!.handler();
  await bench.pass(SECOND);
  assert.deepEqual(bench.rounds, [1]);
  await bench.pass(MINUTE);
  assert.deepEqual(bench.rounds, [1, 2]);
});

Deno.test("a round that still runs skips its turn, and nothing runs after the stop", async () => {
  const slow = Promise.withResolvers<void>();
  const bench = new Bench("*", () => slow.promise);
  await bench.pass(5 * MINUTE);
  assert.deepEqual(bench.rounds, [1]);
  assert.deepEqual(bench.logged, [], "a round that runs is not overdue");
  slow.resolve();
  await bench.pass(MINUTE);
  assert.deepEqual(bench.rounds, [1, 6]);
  bench.stop.abort();
  assert.equal(bench.guard, null);
  assert.deepEqual(bench.tasks, []);
});
