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
  /** Free bytes of the disk that holds the database; null where that is not known. */
  room?: () => number | null;
}

/** After nothing more could be dropped, in microseconds: measuring again and again would not help. */
const REST = 600_000_000;

/** Keeps what is stored within `NDR_RETENTION_BYTES`, and knows whether it is. */
export class SpaceKeeper {
  #facts: SpaceFacts | null = null;
  #restUntil = -Infinity;

  constructor(private readonly limit: number, private readonly deps: SpaceDeps) {}

  /** As of the last look; null before the first. */
  facts(): SpaceFacts | null {
    return this.#facts;
  }

  /** Whether a round may help: a quick look. */
  async isDue(): Promise<boolean> {
    if (this.deps.clock.now() < this.#restUntil) return false;
    const bytes = await storedBytes(this.deps.db);
    if (bytes <= this.limit) this.#tell(bytes);
    return bytes > this.limit;
  }

  /** Drops what is too much. For one core at a time. */
  async apply(): Promise<void> {
    const { db, clock, logger, room } = this.deps;
    const now = clock.now();
    // Also after a failure.
    this.#restUntil = now + REST;
    const { removed, before, after } = await applySpaceLimit(db, now, this.limit, room?.() ?? null);
    const any = removed.partitions.length + removed.rows > 0;
    if (any) {
      logger.info("dropped the oldest records: they took more than NDR_RETENTION_BYTES", {
        ...removed,
        stored_bytes: before,
        left_bytes: after,
        limit_bytes: this.limit,
      });
    }
    if (any || after <= this.limit) this.#restUntil = -Infinity;
    this.#tell(after);
  }

  #tell(bytes: number): void {
    const wasKept = this.#facts?.kept ?? true;
    const kept = bytes <= this.limit;
    this.#facts = { limit: this.limit, bytes, kept };
    const fields = { stored_bytes: bytes, limit_bytes: this.limit };
    if (wasKept && !kept) {
      this.deps.logger.warn("NDR_RETENTION_BYTES cannot be kept: what must stay takes more", fields);
    } else if (!wasKept && kept) this.deps.logger.info("NDR_RETENTION_BYTES is kept again", fields);
  }
}
