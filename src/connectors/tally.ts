import type { ConnectorCounter } from "../contract/connector/connector.ts";

const MINUTE = 60_000_000;
const MINUTES = 60;

/** Counts the last hour by minute. Times in microseconds. */
class Recent {
  readonly #minutes = new Map<number, number>();

  add(now: number): void {
    const minute = Math.floor(now / MINUTE);
    this.#minutes.set(minute, (this.#minutes.get(minute) ?? 0) + 1);
  }

  count(now: number): number {
    const last = Math.floor(now / MINUTE);
    let count = 0;
    for (const [minute, items] of this.#minutes) {
      // After a clock was set back there are minutes in the future.
      if (minute <= last - MINUTES || minute > last) this.#minutes.delete(minute);
      else count += items;
    }
    return count;
  }
}

/** Counters of an instance for the life of the process. */
export class Tally {
  readonly recent = new Recent();
  readonly counters: Record<ConnectorCounter, number> = {
    delivered: 0,
    failed: 0,
    rejected: 0,
    dropped: 0,
    pending: 0,
  };
}
