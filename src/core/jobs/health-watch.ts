import type { HealthReport } from "../../contract/health/health.ts";
import { sameHealth, type Transition } from "../../domain/health/transitions.ts";
import type { Clock } from "../../kit/clock.ts";
import { randomUuid } from "../../kit/id.ts";
import type { Logger } from "../../observe/log.ts";
import { type Database, StoreUnavailable } from "../../store/engine/database.ts";
import type { Lease } from "../../store/engine/leases.ts";
import { LimitedDatabase } from "../../store/engine/limited.ts";
import { Job } from "./job.ts";
import { type NumberedObservation, recordObservations } from "./record-health.ts";

interface HealthWatchConfig {
  /** Ids of the tenants to observe. */
  tenants: Iterable<string>;
}

interface HealthWatchDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** The reporter shared with the API and the metrics; an unavailable store does not make it throw. */
  reporter: { report(tenantId: string, now: number): Promise<HealthReport> };
  /** Runs `work` after a delay in milliseconds; the returned function cancels it. */
  later?: (milliseconds: number, work: () => void) => () => void;
}

/** SPEC's interval, in milliseconds; schedules have minutes only, so a delay gives the second half. */
export const HALF_MINUTE = 30_000;
const EACH_MINUTE = "*";
/** Two passes: after a core is killed, another one observes within 90 s. */
const LEASE = { name: "health", seconds: 60 };
/** Short limits: what cannot be recorded now is recorded 30 s later. */
const LIMITS = { statementMs: 8_000, lockMs: 3_000, waitMs: 8_000, answerMs: 10_000 };
/** Tenants observed concurrently; the pool has ten connections. */
const TENANTS_AT_ONCE = 3;
/**
 * Changed observations buffered per tenant while the store is down; beyond that the second oldest is dropped.
 */
const MAX_BUFFERED = 200;

/**
 * Observes every tenant's health every 30 s and records each change with its event. One core does this for as
 * long as it runs, because reports include the core's own disk and files.
 *
 * While the store is down, every core buffers the changes it sees in memory; once the store is back, the
 * observing core records them with their original times. A core that ends in the meantime loses what only it
 * has seen. Every change between two observations is reported, including transient ones; states shorter than
 * 30 s may be missed.
 */
export class HealthWatch {
  readonly #job: Job;
  readonly #db: Database;
  readonly #tenants: readonly string[];
  readonly #observer = randomUuid();
  /** Observations not recorded yet, by tenant, oldest first. */
  readonly #buffered = new Map<string, NumberedObservation[]>();
  #pass = 0;
  #running = false;
  #warmedUp = false;
  #cancel: () => void = () => {};

  constructor(config: HealthWatchConfig, private readonly deps: HealthWatchDeps) {
    this.#db = new LimitedDatabase(deps.db, LIMITS);
    this.#job = new Job(LEASE, { db: this.#db, logger: deps.logger });
    this.#tenants = [...config.tenants];
  }

  start(): void {
    this.#job.schedule(EACH_MINUTE, () => this.minute());
  }

  /** Resolves after the current pass; another core can take over at once. */
  async stop(): Promise<void> {
    this.#cancel();
    await this.#job.stop();
  }

  /**
   * Runs a minute's two passes: now and 30 s later. The first call skips the immediate pass, so that disks
   * are measured, lists are read and senders have delivered their backlog.
   */
  minute(): void {
    const later = this.deps.later ?? runAfter;
    if (this.#warmedUp) this.#due();
    this.#warmedUp = true;
    this.#cancel = later(HALF_MINUTE, () => this.#due());
  }

  /** Runs one pass after the current one. */
  run(): Promise<void> {
    return this.#job.enqueue(async () => {
      this.#running = true;
      await this.#job.attempt("observe health", () => this.#observe());
      this.#running = false;
    });
  }

  /** Skips a pass while the previous one is still running. */
  #due(): void {
    if (!this.#running) void this.run();
  }

  async #observe(): Promise<void> {
    const lease = await this.#hold();
    if (lease === null) {
      // The core that holds the lease observes the same changes.
      this.#buffered.clear();
      return;
    }
    this.#pass++;
    const waiting = [...this.#tenants];
    const worker = async () => {
      for (let tenant = waiting.shift(); tenant !== undefined; tenant = waiting.shift()) {
        await this.#observeTenant(tenant, lease);
      }
    };
    await Promise.all(Array.from({ length: TENANTS_AT_ONCE }, worker));
  }

  /** The lease; null if another core holds it, undefined if the store is unavailable. */
  async #hold(): Promise<Lease | null | undefined> {
    try {
      return await this.#job.hold();
    } catch (error) {
      if (error instanceof StoreUnavailable) return undefined;
      throw error;
    }
  }

  #observeTenant(tenantId: string, lease: Lease | undefined): Promise<void> {
    return this.#job.attempt("observe health", async () => {
      const at = this.deps.clock.now();
      const { components } = await this.deps.reporter.report(tenantId, at);
      const observations = [...this.#buffered.get(tenantId) ?? [], { pass: this.#pass, at, components }];
      if (lease === undefined) return this.#buffer(tenantId, observations);
      try {
        const transitions = await this.#db.tenant(
          tenantId,
          (tx) => recordObservations(tx, tenantId, this.#observer, lease, observations),
        );
        this.#buffered.delete(tenantId);
        this.#logTransitions(tenantId, transitions ?? []);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        this.#buffer(tenantId, observations);
      }
    }, { tenant: tenantId });
  }

  /** Buffers observations until they can be recorded; of equal ones the first. */
  #buffer(tenantId: string, observations: NumberedObservation[]): void {
    const [newest, before] = [observations.at(-1)!, observations.at(-2)];
    if (before === undefined) {
      this.deps.logger.warn("cannot record health, buffering changes", {
        tenant: tenantId,
      });
    } else if (sameHealth(before, newest)) observations.pop();
    // Keep the first and the newest: the initial and the current state.
    if (observations.length > MAX_BUFFERED) observations.splice(1, 1);
    this.#buffered.set(tenantId, observations);
  }

  #logTransitions(tenantId: string, transitions: readonly Transition[]): void {
    for (const { componentId, from, to, message } of transitions) {
      const why = message === null ? {} : { reason: message };
      const fields = { tenant: tenantId, component: componentId, from, to, ...why };
      if (to === "ok") this.deps.logger.info("health changed", fields);
      else this.deps.logger.warn("health changed", fields);
    }
  }
}

function runAfter(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}
