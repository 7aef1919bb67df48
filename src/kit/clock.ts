/** Where the time comes from; handed to whatever needs it, so that a test can hold it still. */
export interface Clock {
  /** Whole microseconds since the Unix epoch, UTC. */
  now(): number;
}

/** The machine's clock, millisecond resolution. */
export const systemClock: Clock = { now: () => Date.now() * 1000 };
