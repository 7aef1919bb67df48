import type { Attempt } from "./sink.ts";
import { heldBackoff } from "../kit/net/backoff.ts";
import type { ConnectorProgress } from "../store/connector/connectors.ts";
import type { Tally } from "./tally.ts";

const SECOND = 1_000_000;
/** Of the wait after a round that was not acknowledged, milliseconds. */
const HOLD = { minMs: 30_000, maxMs: 900_000 };
/** No event waits longer, whatever a receiver asks for or a clock does; microseconds. */
const LONGEST_HOLD = 3600 * SECOND;

/** A round that was not acknowledged. */
export type Failed = Exclude<Attempt, { kind: "acknowledged" }>;

/**
 * How one instance fares: its state, health line and counters, as the table in src/contract/connector/connector.ts has them. The
 * counters and the last hour are of this process; the rest goes on from what was stored. Times in microseconds.
 */
export class Progress {
  #stored: ConnectorProgress;
  #isSaved = false;

  constructor(
    stored: ConnectorProgress,
    private readonly tally: Tally,
    private readonly random: () => number,
  ) {
    this.#stored = stored;
  }

  get bookmark(): number {
    return this.#stored.bookmark;
  }

  /** False while something is to be written. */
  get isSaved(): boolean {
    return this.#isSaved;
  }

  saved(): void {
    this.#isSaved = true;
  }

  /** What is to be written now. */
  snapshot(): ConnectorProgress {
    return { ...this.#stored, ...this.tally.counters };
  }

  /** Microseconds until the held event may be tried again. */
  waitAt(now: number): number {
    const { blockedUntil } = this.#stored;
    if (blockedUntil === null) return 0;
    // After a clock was set back, the end of the wait is as far away as it was set back.
    if (blockedUntil - now > LONGEST_HOLD) this.#set({ blockedUntil: now + LONGEST_HOLD });
    return Math.max(0, (this.#stored.blockedUntil ?? now) - now);
  }

  /** Nothing is left of what was held back or done before this number. */
  passed(eventNo: number): void {
    if (eventNo > this.bookmark) this.#set({ bookmark: eventNo });
  }

  dropped(count: number): void {
    if (count === 0) return;
    this.tally.counters.dropped += count;
    this.#isSaved = false;
  }

  /** Counts what waits, and the last hour. With nothing pending, nothing is wrong, but for what was refused for good. */
  observe(pending: number, now: number): void {
    if (this.tally.counters.pending !== pending) {
      this.tally.counters.pending = pending;
      this.#isSaved = false;
    }
    const itemsLastHour = this.tally.recent.count(now);
    if (itemsLastHour !== this.#stored.itemsLastHour) this.#set({ itemsLastHour });
    const { state, failureClass } = this.#stored;
    const isOver = state === "unknown" || (state === "error" && failureClass !== "rejected");
    if (pending === 0 && isOver) this.#recover(now);
  }

  acknowledged(now: number): void {
    this.tally.counters.delivered++;
    this.tally.recent.add(now);
    this.#recover(now);
    this.#set({ lastSuccessAt: now, consecutiveFailures: 0, itemsLastHour: this.tally.recent.count(now) });
  }

  /** The event was refused for good. */
  rejected(failed: Failed, now: number): void {
    this.tally.counters.rejected++;
    this.#fail(failed, now);
    this.#set({ holds: 0, blockedUntil: null });
  }

  /** The event is to be tried again; returns after how many microseconds. */
  held(failed: Failed, now: number): number {
    this.tally.counters.failed++;
    this.#fail(failed, now);
    const { holds } = this.#stored;
    const backoff = heldBackoff(holds, { ...HOLD, random: this.random }) * 1000;
    const wait = Math.min(LONGEST_HOLD, Math.max(backoff, (failed.retryAfterSeconds ?? 0) * SECOND));
    this.#set({ holds: holds + 1, blockedUntil: now + wait });
    return wait;
  }

  #fail({ failure, message }: Failed, now: number): void {
    const { state, since, consecutiveFailures } = this.#stored;
    this.#set({
      state: "error",
      failureClass: failure,
      message,
      since: state === "error" ? since : now,
      consecutiveFailures: consecutiveFailures + 1,
    });
  }

  #recover(now: number): void {
    const { state, since } = this.#stored;
    this.#set({
      state: "ok",
      failureClass: null,
      message: null,
      since: state === "ok" ? since : now,
      holds: 0,
      blockedUntil: null,
    });
  }

  #set(change: Partial<ConnectorProgress>): void {
    this.#stored = { ...this.#stored, ...change };
    this.#isSaved = false;
  }
}
