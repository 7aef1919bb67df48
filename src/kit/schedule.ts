const MINUTE_MS = 60_000;
/** A round that is this much overdue by the monotonic clock (milliseconds) does not wait for the task any longer. */
const OVERDUE_MS = 2 * MINUTE_MS;
/** Interval at which the guard checks the clock and overdue rounds, milliseconds. Smaller steps back are ignored. */
const GUARD_MS = 30_000;

interface ScheduleOptions {
  /** Names the task: letters, digits and hyphens. */
  name: string;
  /** Ends the schedule. */
  signal: AbortSignal;
  /** Gets a line for a clock that was set back, and for a round that was overdue. */
  logger: { warn(message: string, fields: { task: string; seconds: number }): void };
  cron?: typeof Deno.cron;
  /** Milliseconds of the clock that `cron` follows. */
  wall?: () => number;
  /** Milliseconds of a clock that cannot be set. */
  monotonic?: () => number;
  /** Calls `work` every so many milliseconds of that clock; the returned function ends it. */
  repeat?: (milliseconds: number, work: () => void) => () => void;
}

/** Makes the names unique in this process, in which tests run several cores. */
let tasks = 0;

/**
 * Runs `round`, which must not throw, as a `Deno.cron` task in the minutes of the hour that `minutes` names: `*`,
 * every `*`/15, or at 7. A round that is still running skips its next turn.
 *
 * `Deno.cron` waits for a point in time: after a clock that was ahead has been corrected, it runs nothing for as long
 * as the clock was ahead. So a guard on the monotonic clock registers the task again when the clock was set back. It
 * also runs a round that is two minutes overdue for any other reason.
 */
export function scheduleMinutes(
  minutes: string,
  {
    name,
    signal,
    logger,
    cron = Deno.cron,
    wall = Date.now,
    monotonic = () => performance.now(),
    repeat = runEvery,
  }: ScheduleOptions,
  round: () => Promise<void> | void,
): void {
  const period = periodOf(minutes) * MINUTE_MS;
  if (signal.aborted) return;
  let running = false;
  let started = -Infinity;
  // When the period began in which the next round is due.
  let since = monotonic();
  const run = async () => {
    // A timer that fires early would fire again at the minute itself.
    if (running || signal.aborted || monotonic() - started < MINUTE_MS / 2) return;
    running = true;
    started = since = monotonic();
    try {
      await round();
    } finally {
      running = false;
    }
  };
  let registration = new AbortController();
  const register = () => {
    registration.abort();
    registration = new AbortController();
    const ended = AbortSignal.any([signal, registration.signal]);
    void cron(`${name}-${++tasks}`, `${minutes} * * * *`, { signal: ended }, run);
  };
  let offset = wall() - monotonic();
  const guard = () => {
    const setBack = offset - (wall() - monotonic());
    offset -= setBack;
    if (setBack >= GUARD_MS) {
      logger.warn("the clock was set back", { task: name, seconds: Math.round(setBack / 1000) });
      register();
      return;
    }
    const overdue = monotonic() - since - period;
    if (running || overdue < OVERDUE_MS) return;
    logger.warn("a round was overdue", { task: name, seconds: Math.round(overdue / 1000) });
    register();
    void run();
  };
  register();
  signal.addEventListener("abort", repeat(GUARD_MS, guard), { once: true });
}

/**
 * Minutes from one round to the next.
 *
 * @throws TypeError for anything else than `*`, a step, or a minute
 */
function periodOf(text: string): number {
  const [, every, at] = /^(?:\*(?:\/(\d{1,2}))?|(\d{1,2}))$/.exec(text) ?? [undefined, "0"];
  if (at !== undefined && Number(at) < 60) return 60;
  const step = Number(every ?? 1);
  if (at !== undefined || !(step > 0)) throw new TypeError(`${JSON.stringify(text)} names no minutes`);
  return step;
}

function runEvery(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds);
  return () => clearInterval(timer);
}
