import type { Database } from "./database.ts";
import { acquireLease, type Lease, releaseLease } from "./leases.ts";

/**
 * A lease that is renewed while it is held, however long its holder's work takes. Leases run by the database's clock; what
 * is measured here, by one that nobody sets.
 */
export class Tenure {
  #lease: Lease | null = null;
  #takenAt = 0;
  #timer: ReturnType<typeof setInterval> | null = null;
  #beat: Promise<void> = Promise.resolve();

  /** @param seconds So long others wait where the holder was killed. */
  constructor(
    private readonly db: Database,
    private readonly name: string,
    private readonly holder: string,
    private readonly seconds: number,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.#beat = this.#beat.then(() => this.#renew()), this.seconds * 300);
  }

  /** Takes the lease where it is not held already; null where another holder has it. */
  async take(): Promise<Lease | null> {
    // One that could not be renewed for most of its time is asked for again before anything is done under it.
    if (this.#lease !== null && performance.now() - this.#takenAt < this.seconds * 700) return this.#lease;
    return await this.#acquire();
  }

  /** Somebody else has done the work: the lease is asked for again before the next. */
  doubt(): void {
    this.#lease = null;
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
    this.#lease = await acquireLease(this.db, this.name, this.holder, this.seconds);
    this.#takenAt = now;
    return this.#lease;
  }
}
