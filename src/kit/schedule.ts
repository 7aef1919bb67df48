import { type Clock, systemClock } from "./clock.ts";

const MINUTE = 60_000_000;
/** A timer that fires this much early (microseconds) does not count for the previous minute, nor twice. */
const EARLY = 1_000_000;

interface ScheduleOptions {
  /** Ends the schedule. */
  signal: AbortSignal;
  clock?: Clock;
  /** Runs `work` after a delay in milliseconds; the returned function cancels it. */
  later?: (milliseconds: number, work: () => void) => () => void;
}

/**
 * Runs `round`, which must not throw, in the minutes of the hour that `minutes` names as a cron expression
 * does: `*`, every `*`/15, or at 7. A round that is still running skips its next turn.
 *
 * `Deno.cron` waits for a point in time: after a clock that was ahead has been corrected, it runs nothing for
 * as long as the clock was ahead. Here no wait is longer than a minute.
 */
export function scheduleMinutes(
  minutes: string,
  { signal, clock = systemClock, later = runAfter }: ScheduleOptions,
  round: () => Promise<void> | void,
): void {
  const isDue = minuteFilter(minutes);
  let running = false;
  let cancel = () => {};
  const wake = () => {
    wait();
    const minute = Math.floor((clock.now() + EARLY) / MINUTE) % 60;
    if (running || !isDue(minute)) return;
    running = true;
    void Promise.resolve(round()).finally(() => running = false);
  };
  const wait = () => {
    const left = MINUTE - clock.now() % MINUTE;
    cancel = later(Math.ceil((left <= EARLY ? left + MINUTE : left) / 1000), wake);
  };
  if (signal.aborted) return;
  signal.addEventListener("abort", () => cancel(), { once: true });
  wait();
}

/** @throws TypeError for anything else than `*`, a step, or a minute */
function minuteFilter(text: string): (minute: number) => boolean {
  const [, every, at] = /^(?:\*(?:\/(\d{1,2}))?|(\d{1,2}))$/.exec(text) ?? [undefined, "0"];
  if (at !== undefined && Number(at) < 60) return (minute) => minute === Number(at);
  const step = Number(every ?? 1);
  if (at !== undefined || !(step > 0)) throw new TypeError(`${JSON.stringify(text)} names no minutes`);
  return (minute) => minute % step === 0;
}

function runAfter(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}
