// Test clocks, and waits that follow them.

import type { Clock } from "../../src/kit/clock.ts";

interface Sleeper {
  /** Microseconds. */
  until: number;
  ms: number;
  wake: () => void;
}

/** Stands still until a test moves it; sleepers wake when their time is reached. */
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

  /** Waits `ms` on this clock, or until the signal is aborted; never throws. */
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

  /** Resolves as soon as there is a sleeper, with the length of its wait in milliseconds. */
  sleeping(): Promise<number> {
    const [sleeper] = this.#sleepers;
    return sleeper ? Promise.resolve(sleeper.ms) : new Promise((resolve) => this.#watchers.push(resolve));
  }

  /**
   * Sets the clock forward, or back if `ms` is negative, as an administrator would; remaining waits do not
   * change.
   */
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

/** Real duration of each wait, milliseconds. */
const REAL_WAIT = 1;

/**
 * Runs by itself and skips waits: a wait of fifteen minutes takes almost no real time, and the clock advances
 * by all of it.
 */
export class SkippingTime implements Clock {
  #ahead: number;

  /** `from`: start time, microseconds. */
  constructor(from: number) {
    this.#ahead = from - Date.now() * 1000;
  }

  now(): number {
    return Date.now() * 1000 + this.#ahead;
  }

  /** Waits `ms` on this clock, or until the signal is aborted; never throws. */
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
