import type { Database } from "./database.ts";
import { acquireLease, type Lease, releaseLease } from "./leases.ts";

/**
 * A lease that is renewed while it is held, however long its holder's work takes. Leases run on the
 * database's clock; times are measured here with a monotonic one.
 */
export class HeldLease {
  #lease: Lease | null = null;
  #takenAt = 0;
  #timer: ReturnType<typeof setInterval> | null = null;
  #beat: Promise<void> = Promise.resolve();

  /** @param seconds Duration of the lease: how long others wait after the holder was killed. */
  constructor(
    private readonly db: Database,
    private readonly name: string,
    private readonly holder: string,
    private readonly seconds: number,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.#beat = this.#beat.then(() => this.#renew()), this.seconds * 300);
  }

  /** The lease, acquired if necessary; null if another holder has it. */
  async take(): Promise<Lease | null> {
    // A lease that was not renewed for most of its duration must be acquired again before it is relied on.
    if (this.#lease !== null && performance.now() - this.#takenAt < this.seconds * 700) return this.#lease;
    return await this.#acquire();
  }

  /** Another holder has done the work: forces `take` to acquire the lease again. */
  invalidate(): void {
    this.#lease = null;
  }

  /** Releases the lease; if that fails, it expires. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#beat;
    if (this.#lease !== null) await releaseLease(this.db, this.#lease).catch(() => {});
    this.#lease = null;
  }

  async #renew(): Promise<void> {
    if (this.#lease === null) return;
    // If the database is unavailable, the work under the lease fails by itself.
    await this.#acquire().catch(() => {});
  }

  async #acquire(): Promise<Lease | null> {
    const now = performance.now();
    this.#lease = await acquireLease(this.db, this.name, this.holder, this.seconds);
    this.#takenAt = now;
    return this.#lease;
  }
}
