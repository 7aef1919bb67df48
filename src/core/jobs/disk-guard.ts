import { type DiskFacts, type DiskSpace, type DiskState, diskState } from "../../domain/health/disk.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Logger } from "../../observe/log.ts";

interface DiskGuardDeps {
  /** A folder on the database's filesystem; null if only write errors of the database show a full disk. */
  directory: string | null;
  /** Measures the free space; null if unknown. Called often, so it must be fast. */
  probe: (directory: string) => DiskSpace | null;
  clock: Clock;
  logger: Logger;
}

/** Maximum age of a measurement, in microseconds. A busy ingest writes some 20 MB in that time. */
const PROBE_INTERVAL = 100_000;
/**
 * After a write failed for lack of space, one attempt per this interval (microseconds) probes for recovery.
 */
const RETRY_INTERVAL = 5_000_000;
/**
 * Microseconds until a write failure is forgotten if no further one follows; senders retry more often than
 * that.
 */
const FORGET_AFTER = 90_000_000;

/**
 * Stops ingest before the disk is full and resumes it once there is space again. Measures the disk on demand;
 * it has no timer.
 */
export class DiskGuard {
  #state: DiskState = "ok";
  #space: DiskSpace | null = null;
  #probedAt = -Infinity;
  #failedAt = -Infinity;

  constructor(private readonly deps: DiskGuardDeps) {}

  /** Whether records may be written now. */
  isOpen(): boolean {
    this.#probe();
    return this.#state !== "full" && this.#since(this.#failedAt) >= RETRY_INTERVAL;
  }

  /** Reports a commit that failed because the database's disk is full. */
  writeFailed(): void {
    if (!this.#hasFailed()) this.deps.logger.error("database disk full, ingest stopped");
    this.#failedAt = this.deps.clock.now();
  }

  /** Reports a successful commit. */
  committed(): void {
    if (this.#hasFailed()) this.deps.logger.info("database has space again, ingest resumed");
    this.#failedAt = -Infinity;
  }

  facts(): DiskFacts {
    this.#probe();
    const { directory } = this.deps;
    return { directory, space: this.#space, state: this.#state, refused: this.#hasFailed() };
  }

  #hasFailed(): boolean {
    return this.#since(this.#failedAt) < FORGET_AFTER;
  }

  /** The elapsed time, in microseconds; a clock that was set back counts as elapsed time too. */
  #since(moment: number): number {
    return Math.abs(this.deps.clock.now() - moment);
  }

  #probe(): void {
    const { directory, probe, clock } = this.deps;
    if (directory === null || this.#since(this.#probedAt) < PROBE_INTERVAL) return;
    this.#probedAt = clock.now();
    this.#space = probe(directory);
    // An unknown state must not block ingest.
    const state = this.#space === null ? "ok" : diskState(this.#state, this.#space);
    if (state !== this.#state) this.#logChange(this.#state, state);
    this.#state = state;
  }

  #logChange(before: DiskState, state: DiskState): void {
    const { logger, directory } = this.deps;
    const fields = {
      directory,
      free_bytes: this.#space?.free ?? null,
      size_bytes: this.#space?.size ?? null,
    };
    if (state === "full") logger.error("disk full, ingest stopped", fields);
    else if (before === "full") logger.info("disk has space again, ingest resumed", fields);
    else if (state === "low") logger.warn("disk nearly full", fields);
    else logger.info("disk has enough space again", fields);
  }
}
