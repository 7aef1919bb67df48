import { messageOf } from "../../kit/errors.ts";
import type { Logger } from "../../observe/log.ts";
import { type Database, StoreUnavailable } from "../../store/engine/database.ts";
import { LimitedDatabase } from "../../store/engine/limited.ts";
import { isWriteRefusal } from "../../store/engine/retry.ts";
import { namedRights } from "../../store/engine/schema/requirements.ts";
import { probeWrite } from "../../store/health/write-probe.ts";
import { SingleFlight } from "../../kit/threads/single-flight.ts";

interface StoreProbeDeps {
  db: Database;
  logger: Logger;
  /** Milliseconds by a monotonic clock; default `performance.now`. */
  elapsed?: () => number;
}

/** Milliseconds for which a result is reused: many tenants and scrapers share one write. */
const REUSE_MS = 10_000;
/** Together with the report's own reads, less than the ten seconds that scrapers wait. */
const LIMITS = { statementMs: 2_000, lockMs: 1_000, waitMs: 2_500, answerMs: 3_000 };
/**
 * Timeouts in a row that count: a server may hang in COMMIT, for example waiting for a lost synchronous
 * standby, but a single probe may also time out because the machine is busy.
 */
const TIMEOUTS = 2;
const NAMED_RIGHTS = 3;

/** Finds out whether the database commits, by writing. It has no timer: the health report asks. */
export class StoreProbe {
  readonly #db: Database;
  readonly #elapsed: () => number;
  #fault: string | null = null;
  #timeouts = 0;
  #probedAt = -Infinity;
  readonly #probing = new SingleFlight<void>();

  constructor(private readonly deps: StoreProbeDeps) {
    this.#db = new LimitedDatabase(deps.db, LIMITS);
    this.#elapsed = deps.elapsed ?? (() => performance.now());
  }

  /** Why the database cannot commit; null if it can, as far as known. Never throws. */
  async fault(): Promise<string | null> {
    if (this.#elapsed() - this.#probedAt >= REUSE_MS) await this.#probing.run(() => this.#probe());
    return this.#fault;
  }

  async #probe(): Promise<void> {
    let fault: string | null = null;
    try {
      const missing = await this.#db.shared(probeWrite);
      this.#timeouts = 0;
      if (missing.length > 0) fault = `the database user lacks rights: ${namedRights(missing, NAMED_RIGHTS)}`;
    } catch (error) {
      fault = this.#faultOf(error);
    }
    this.#probedAt = this.#elapsed();
    const { logger } = this.deps;
    if (fault !== null && this.#fault === null) logger.error("the database cannot commit", { reason: fault });
    if (fault === null && this.#fault !== null) logger.info("the database commits again");
    this.#fault = fault;
  }

  #faultOf(error: unknown): string | null {
    const cause = error instanceof StoreUnavailable ? error.cause : error;
    if (isWriteRefusal(cause)) return messageOf(cause);
    // The only connection of an embedded database is often busy for longer.
    if (this.deps.db.engine === "pglite" || ++this.#timeouts < TIMEOUTS) return this.#fault;
    return messageOf(cause);
  }
}
