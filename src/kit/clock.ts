/** The source of time; passed to whatever needs it, so that tests can control it. */
export interface Clock {
  /** Whole microseconds since the Unix epoch, UTC. */
  now(): number;
}

/** The machine's clock, millisecond resolution. */
export const systemClock: Clock = { now: () => Date.now() * 1000 };
