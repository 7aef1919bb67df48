import type { Database } from "../store/database.ts";
import { acquireLease, type Lease, releaseLease } from "../store/leases.ts";

/** So long, in seconds, an instance waits for another core when the one that served it was killed. */
const LEASE_SECONDS = 10;
/** Milliseconds. */
const RENEW_AFTER = 3_000;
/** A lease that could not be renewed for this long is asked for again before anything is done under it; milliseconds. */
const TRUSTED_FOR = 7_000;

/**
 * The lease of one instance, renewed while it is held, however long its holder waits for a receiver. Leases run by the
 * database's clock; what is measured here, by one that nobody sets.
 */
export class Tenure {
  #lease: Lease | null = null;
  #takenAt = 0;
  #timer: ReturnType<typeof setInterval> | null = null;
  #beat: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly name: string,
    private readonly holder: string,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.#beat = this.#beat.then(() => this.#renew()), RENEW_AFTER);
  }

  /** Takes the lease where it is not held already; null where another holder has it. */
  async take(): Promise<Lease | null> {
    if (this.#lease !== null && performance.now() - this.#takenAt < TRUSTED_FOR) return this.#lease;
    return await this.#acquire();
  }

  /** Gives the lease back. It runs out by itself where that does not succeed. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#beat;
    if (this.#lease !== null) await releaseLease(this.db, this.#lease).catch(() => {});
    this.#lease = null;
  }

  async #renew(): Promise<void> {
    if (this.#lease === null) return;
    // Where the database is away, whoever works under the lease finds out by itself.
    await this.#acquire().catch(() => {});
  }

  async #acquire(): Promise<Lease | null> {
    const now = performance.now();
    this.#lease = await acquireLease(this.db, this.name, this.holder, LEASE_SECONDS);
    this.#takenAt = now;
    return this.#lease;
  }
}
