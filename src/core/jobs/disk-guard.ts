import { type DiskFacts, type DiskSpace, type DiskState, diskState } from "../../domain/health/disk.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Logger } from "../../observe/log.ts";

interface DiskGuardDeps {
  /** A folder of the filesystem that holds the database; null where only the database's own refusals tell. */
  directory: string | null;
  /** Asks for the room now; null where it cannot be known. Called often: it must be quick. */
  probe: (directory: string) => DiskSpace | null;
  clock: Clock;
  logger: Logger;
}

/** How old a look at the disk may be, in microseconds. A busy ingest fills some 20 MB in that time. */
const LOOK_EVERY = 100_000;
/** After the database had no room, one try in this time finds out whether it has some again. */
const TRY_EVERY = 5_000_000;
/** Whoever has records tries more often than that; without a new refusal since, the last one says nothing any more. */
const FORGET_AFTER = 90_000_000;

/**
 * Stops what writes records before the disk is full, and lets it go on when there is room again. It looks at the disk
 * when asked and has no timer.
 */
export class DiskGuard {
  #state: DiskState = "ok";
  #space: DiskSpace | null = null;
  #lookedAt = -Infinity;
  #refusedAt = -Infinity;

  constructor(private readonly deps: DiskGuardDeps) {}

  /** Whether records may be written now. */
  isOpen(): boolean {
    this.#look();
    return this.#state !== "full" && this.#since(this.#refusedAt) >= TRY_EVERY;
  }

  /** The database did not commit because it has no room on its disk. */
  refused(): void {
    if (!this.#isRefused()) this.deps.logger.error("the database has no room on its disk: ingest is stopped");
    this.#refusedAt = this.deps.clock.now();
  }

  /** The database took a batch. */
  committed(): void {
    if (this.#isRefused()) this.deps.logger.info("the database has room again: ingest goes on");
    this.#refusedAt = -Infinity;
  }

  facts(): DiskFacts {
    this.#look();
    const { directory } = this.deps;
    return { directory, space: this.#space, state: this.#state, refused: this.#isRefused() };
  }

  #isRefused(): boolean {
    return this.#since(this.#refusedAt) < FORGET_AFTER;
  }

  /** A clock that was set makes every moment long ago. */
  #since(moment: number): number {
    return Math.abs(this.deps.clock.now() - moment);
  }

  #look(): void {
    const { directory, probe, clock } = this.deps;
    if (directory === null || this.#since(this.#lookedAt) < LOOK_EVERY) return;
    this.#lookedAt = clock.now();
    this.#space = probe(directory);
    // What cannot be seen keeps nobody from working.
    const state = this.#space === null ? "ok" : diskState(this.#state, this.#space);
    if (state !== this.#state) this.#tell(this.#state, state);
    this.#state = state;
  }

  #tell(before: DiskState, state: DiskState): void {
    const { logger, directory } = this.deps;
    const fields = {
      directory,
      free_bytes: this.#space?.free ?? null,
      size_bytes: this.#space?.size ?? null,
    };
    if (state === "full") logger.error("the disk is full: ingest is stopped", fields);
    else if (before === "full") logger.info("the disk has room again: ingest goes on", fields);
    else if (state === "low") logger.warn("the disk is nearly full", fields);
    else logger.info("the disk has enough room again", fields);
  }
}
