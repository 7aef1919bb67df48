import type { Clock } from "../kit/clock.ts";
import type { LogFields, Logger } from "../observe/log.ts";

/** Microseconds between two log lines of the same sensor and outcome. */
const PERIOD = 10_000_000;

/** Logs rejected requests, rate-limited so that a retrying sender cannot fill the log. */
export class RejectionLog {
  readonly #logger: Logger;
  readonly #clock: Clock;
  /** By sensor and outcome; both have few values. */
  readonly #seen = new Map<string, { loggedAt: number; suppressed: number }>();

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  /**
   * Logs a line unless one of the same sensor and outcome was logged within the period; then only counts it.
   */
  warn(message: string, sensorId: string | null, outcome: string, fields: LogFields): void {
    const key = `${sensorId ?? ""} ${outcome}`;
    const now = this.#clock.now();
    const seen = this.#seen.get(key);
    if (seen !== undefined && Math.abs(now - seen.loggedAt) < PERIOD) {
      seen.suppressed++;
      return;
    }
    this.#seen.set(key, { loggedAt: now, suppressed: 0 });
    this.#logger.warn(message, {
      sensor_id: sensorId,
      outcome,
      ...fields,
      ...(seen !== undefined && seen.suppressed > 0 ? { suppressed: seen.suppressed } : {}),
    });
  }
}
