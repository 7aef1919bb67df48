import { messageOf } from "../../kit/errors.ts";
import type { LogFields, Logger } from "../../observe/log.ts";
import { traced } from "../../observe/tracing.ts";
import type { Database } from "../../store/engine/database.ts";
import { acquireLease, type Lease, leaseHolder, releaseLease } from "../../store/engine/leases.ts";

export interface JobDeps {
  db: Database;
  logger: Logger;
}

/** The lease under which a job works, and for how long a core that was killed keeps it. */
interface JobLease {
  name: string;
  seconds: number;
}

/** What periodic jobs share: rounds by the clock, one after the other, on one core at a time, until the stop. */
export class Job {
  readonly #stop = new AbortController();
  readonly #holder: string;
  #rounds: Promise<void> = Promise.resolve();
  #kept: Lease | null = null;

  constructor(private readonly lease: JobLease, private readonly deps: JobDeps) {
    this.#holder = leaseHolder(deps.db);
  }

  /** Aborted at the stop. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Runs `round` whenever the cron expression (UTC) says so. */
  schedule(name: string, expression: string, round: () => Promise<void> | void): void {
    Deno.cron(name, expression, { signal: this.signal }, round);
  }

  /** Begins nothing more; ends after the step under way, and gives back what `hold` kept. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#rounds;
    // It runs out by itself where this does not succeed.
    if (this.#kept !== null) await releaseLease(this.deps.db, this.#kept).catch(() => {});
    this.#kept = null;
  }

  /** Runs a round after those that were asked for before. It has to see to its own failures. */
  inTurn(round: () => Promise<void>): Promise<void> {
    return this.#rounds = this.#rounds.then(round);
  }

  /** Attempts `work` under the lease; does nothing where another core holds it. */
  alone(what: string, work: () => Promise<void>): Promise<void> {
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
   * Takes the lease, or renews it, and keeps it from round to round until the stop, so that the same core does the job for as
   * long as it can. Null where another core has it.
   */
  async hold(): Promise<Lease | null> {
    return this.#kept = await acquireLease(this.deps.db, this.lease.name, this.#holder, this.lease.seconds);
  }

  /** Does `work` unless the job was stopped. A failure is logged ("could not <what> and will try again"), never thrown. */
  async attempt(what: string, work: () => Promise<unknown>, fields: LogFields = {}): Promise<void> {
    if (this.signal.aborted) return;
    try {
      await traced("ndr.jobs", what, {}, work);
    } catch (error) {
      this.deps.logger.error(`could not ${what} and will try again`, {
        ...fields,
        message: messageOf(error),
      });
    }
  }
}
