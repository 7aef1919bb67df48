import type { Attempt } from "./sink.ts";
import { heldBackoff } from "../kit/net/backoff.ts";
import type { ConnectorProgress } from "../store/connector/connectors.ts";
import type { Tally } from "./tally.ts";

const SECOND = 1_000_000;
/** Wait after a round that was not acknowledged, in milliseconds. */
const HOLD = { minMs: 30_000, maxMs: 900_000 };
/** No event is held longer, whatever a receiver asks for or a clock does; microseconds. */
const LONGEST_HOLD = 3600 * SECOND;

/** A round that was not acknowledged. */
export type Failed = Exclude<Attempt, { kind: "acknowledged" }>;

/**
 * Progress of one instance: state, health line and counters, as in the table of
 * src/contract/connector/connector.ts. Counters and the last hour belong to this process; the rest continues
 * from what was stored. Times in microseconds.
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

  /** False if there are unsaved changes. */
  get isSaved(): boolean {
    return this.#isSaved;
  }

  saved(): void {
    this.#isSaved = true;
  }

  /** The values to be saved. */
  snapshot(): ConnectorProgress {
    return { ...this.#stored, ...this.tally.counters };
  }

  /** Microseconds until the held event may be retried. */
  waitAt(now: number): number {
    const { blockedUntil } = this.#stored;
    if (blockedUntil === null) return 0;
    // A clock that was set back would extend the wait by that much.
    if (blockedUntil - now > LONGEST_HOLD) this.#set({ blockedUntil: now + LONGEST_HOLD });
    return Math.max(0, (this.#stored.blockedUntil ?? now) - now);
  }

  /** Everything up to this number is settled. */
  passed(eventNo: number): void {
    if (eventNo > this.bookmark) this.#set({ bookmark: eventNo });
  }

  dropped(count: number): void {
    if (count === 0) return;
    this.tally.counters.dropped += count;
    this.#isSaved = false;
  }

  /** Updates the pending count and the last hour. With nothing pending there is no error. */
  observe(pending: number, now: number): void {
    if (this.tally.counters.pending !== pending) {
      this.tally.counters.pending = pending;
      this.#isSaved = false;
    }
    const itemsLastHour = this.tally.recent.count(now);
    if (itemsLastHour !== this.#stored.itemsLastHour) this.#set({ itemsLastHour });
    const { state } = this.#stored;
    if (pending === 0 && (state === "unknown" || state === "error")) this.#recover(now);
  }

  acknowledged(now: number): void {
    this.tally.counters.delivered++;
    this.tally.recent.add(now);
    this.#recover(now);
    this.#set({ lastSuccessAt: now, consecutiveFailures: 0, itemsLastHour: this.tally.recent.count(now) });
  }

  /** The event was rejected permanently. */
  rejected(failed: Failed, now: number): void {
    this.tally.counters.rejected++;
    this.#fail(failed, now);
    this.#set({ holds: 0, blockedUntil: null });
  }

  /** The event is to be retried; returns the delay in microseconds. */
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
