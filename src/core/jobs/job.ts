import { messageOf } from "../../kit/errors.ts";
import { scheduleMinutes } from "../../kit/schedule.ts";
import type { LogFields, Logger } from "../../observe/log.ts";
import { traced } from "../../observe/tracing.ts";
import type { Database } from "../../store/engine/database.ts";
import { acquireLease, type Lease, leaseHolder, releaseLease } from "../../store/engine/leases.ts";

export interface JobDeps {
  db: Database;
  logger: Logger;
}

/** The lease of a job; `seconds` is how long it outlives a core that was killed. */
interface JobLease {
  name: string;
  seconds: number;
}

/** The common part of periodic jobs: scheduled rounds, run one after the other, on one core at a time. */
export class Job {
  readonly #stop = new AbortController();
  readonly #holder: string;
  #queue: Promise<void> = Promise.resolve();
  #held: Lease | null = null;

  constructor(private readonly lease: JobLease, private readonly deps: JobDeps) {
    this.#holder = leaseHolder(deps.db);
  }

  /** Aborted by `stop`. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Runs `round` in these minutes of the hour. */
  schedule(minutes: string, round: () => Promise<void> | void): void {
    const { signal, lease: { name }, deps: { logger } } = this;
    scheduleMinutes(minutes, { name, signal, logger }, round);
  }

  /** Starts no further round, waits for the current step and releases the lease that `hold` took. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#queue;
    // If this fails, the lease expires by itself.
    if (this.#held !== null) await releaseLease(this.deps.db, this.#held).catch(() => {});
    this.#held = null;
  }

  /** Runs a round after those already queued. The round must not throw. */
  enqueue(round: () => Promise<void>): Promise<void> {
    return this.#queue = this.#queue.then(round);
  }

  /** Attempts `work` under the lease; does nothing if another core holds it. */
  underLease(what: string, work: () => Promise<void>): Promise<void> {
    const { db } = this.deps;
    return this.attempt(what, async () => {
      const lease = await acquireLease(db, this.lease.name, this.#holder, this.lease.seconds);
      if (lease === null) return;
      try {
        await work();
      } finally {
        await releaseLease(db, lease);
      }
    });
  }

  /**
   * Acquires or renews the lease and keeps it between rounds until `stop`, so that the same core keeps the
   * job. Null if another core holds it.
   */
  async hold(): Promise<Lease | null> {
    return this.#held = await acquireLease(this.deps.db, this.lease.name, this.#holder, this.lease.seconds);
  }

  /**
   * Runs `work` unless the job was stopped. A failure is logged ("cannot <what>, will retry"), never thrown.
   */
  async attempt(what: string, work: () => Promise<unknown>, fields: LogFields = {}): Promise<void> {
    if (this.signal.aborted) return;
    try {
      await traced("ndr.jobs", what, {}, work);
    } catch (error) {
      this.deps.logger.error(`cannot ${what}, will retry`, {
        ...fields,
        message: messageOf(error),
      });
    }
  }
}
