// Clocks of tests, and waits that follow them.

import type { Clock } from "../../src/kit/clock.ts";

interface Sleeper {
  /** Microseconds. */
  until: number;
  ms: number;
  wake: () => void;
}

/** Stands still until a test moves it; who sleeps on it wakes when it has come that far. */
export class ManualTime implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];
  #watchers: ((ms: number) => void)[] = [];

  /** `now`: microseconds. */
  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Waits `ms` of this time, or until the signal is aborted; never throws. */
  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    if (signal?.aborted) return Promise.resolve();
    return new Promise<void>((resolve) => {
      const sleeper: Sleeper = { until: this.#now + Math.round(ms * 1000), ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", () => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
        resolve();
      }, { once: true });
      for (const tell of this.#watchers.splice(0)) tell(ms);
    });
  };

  /** Resolves, to the length of the wait in milliseconds, as soon as somebody sleeps. */
  sleeping(): Promise<number> {
    const [sleeper] = this.#sleepers;
    return sleeper ? Promise.resolve(sleeper.ms) : new Promise((resolve) => this.#watchers.push(resolve));
  }

  /** Sets the clock forward, or back where `ms` is below zero, as an admin does; who sleeps sleeps on for as long as before. */
  leap(ms: number): void {
    this.#now += ms * 1000;
    for (const sleeper of this.#sleepers) sleeper.until += ms * 1000;
  }

  /** Lets time pass. */
  advance(ms: number): void {
    this.#now += Math.round(ms * 1000);
    const due = this.#sleepers.filter(({ until }) => until <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#now);
    for (const { wake } of due) wake();
  }
}

/** Of a wait no more than this is real, milliseconds. */
const REAL_WAIT = 1;

/** Goes on by itself, and leaps over the waits: one of fifteen minutes takes no time, and the clock says that it is over. */
export class HurriedTime implements Clock {
  #ahead: number;

  /** `from`: what time it is now, microseconds. */
  constructor(from: number) {
    this.#ahead = from - Date.now() * 1000;
  }

  now(): number {
    return Date.now() * 1000 + this.#ahead;
  }

  /** Waits `ms` of this time, or until the signal is aborted; never throws. */
  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    if (signal?.aborted) return Promise.resolve();
    const until = this.now() + ms * 1000;
    return new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#ahead += Math.max(0, until - this.now());
        end();
      }, Math.min(ms, REAL_WAIT));
      signal?.addEventListener("abort", end, { once: true });
    });
  };
}
