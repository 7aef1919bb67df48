import type { SpaceFacts } from "../../domain/health/disk.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Logger } from "../../observe/log.ts";
import type { Database } from "../../store/engine/database.ts";
import { storedBytes } from "../../store/engine/schema/space.ts";
import { applySpaceLimit } from "./space-limit.ts";

export interface SpaceDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Free bytes on the database's disk; null if unknown. */
  room?: () => number | null;
}

/** Microseconds to pause after a round that could drop nothing more. */
const PAUSE = 600_000_000;

/** Keeps the stored bytes within `NDR_RETENTION_BYTES` and reports whether they are. */
export class SpaceKeeper {
  #facts: SpaceFacts | null = null;
  #pausedAt = -Infinity;

  constructor(private readonly limit: number, private readonly deps: SpaceDeps) {}

  /** The last measurement; null before the first. */
  facts(): SpaceFacts | null {
    return this.#facts;
  }

  /** Whether a round is needed; a cheap check. */
  async isDue(): Promise<boolean> {
    // A clock that was set back must not extend the pause.
    if (Math.abs(this.deps.clock.now() - this.#pausedAt) < PAUSE) return false;
    const bytes = await storedBytes(this.deps.db);
    if (bytes <= this.limit) this.#update(bytes);
    return bytes > this.limit;
  }

  /** Drops the excess; `today` lies on the current day (microseconds). Must run on one core at a time. */
  async apply(today: number): Promise<void> {
    const { db, clock, logger, room } = this.deps;
    // Set before the work, so that it also applies after a failure.
    this.#pausedAt = clock.now();
    const { removed, before, after } = await applySpaceLimit(db, today, this.limit, room?.() ?? null);
    const any = removed.partitions.length + removed.rows > 0;
    if (any) {
      logger.info("dropped the oldest records to stay within NDR_RETENTION_BYTES", {
        ...removed,
        stored_bytes: before,
        left_bytes: after,
        limit_bytes: this.limit,
      });
    }
    if (any || after <= this.limit) this.#pausedAt = -Infinity;
    this.#update(after);
  }

  #update(bytes: number): void {
    const wasKept = this.#facts?.kept ?? true;
    const kept = bytes <= this.limit;
    this.#facts = { limit: this.limit, bytes, kept };
    const fields = { stored_bytes: bytes, limit_bytes: this.limit };
    if (wasKept && !kept) {
      this.deps.logger.warn("NDR_RETENTION_BYTES exceeded by data that must be kept", fields);
    } else if (!wasKept && kept) {
      this.deps.logger.info("stored data is within NDR_RETENTION_BYTES again", fields);
    }
  }
}
