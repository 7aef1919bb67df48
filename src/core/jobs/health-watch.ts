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
  /** Whose health is observed. */
  tenants: Iterable<string>;
}

interface HealthWatchDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** The one report, which the API and the metrics show, too; it never throws because the store is down. */
  reporter: { report(tenantId: string, now: number): Promise<HealthReport> };
  /** Does `work` after so many milliseconds unless it is called off by what is returned. */
  later?: (milliseconds: number, work: () => void) => () => void;
}

/** SPEC's interval, in milliseconds: cron gives the minute, and a pause the half of it. */
export const HALF_MINUTE = 30_000;
const EACH_MINUTE = "* * * * *";
/** Two passes: the observer of a core that was killed is missed for no longer than a minute and a half. */
const LEASE = { name: "health", seconds: 60 };
/** Nothing waits for long: what cannot be recorded now is recorded half a minute later. */
const LIMITS = { statementMs: 8_000, lockMs: 3_000, waitMs: 8_000, answerMs: 10_000 };
/** Tenants that are looked at side by side, of ten connections. */
const TENANTS_AT_ONCE = 3;
/** Observations with a change that are kept of a tenant while they cannot be recorded; of more, the oldest but one goes. */
const KEPT_OBSERVATIONS = 200;

/**
 * Observes every tenant's health each half minute, and records each change with its event. One core does it, the same one for
 * as long as it runs: reports tell of the core's own disk and files, too.
 *
 * What changed while the store was down is kept in memory, by every core that saw it, and recorded with its own times by
 * whoever observes once the store is back; a core that ends meanwhile takes along what it alone has seen. Each change from one
 * observation to the next is told, also where it comes and goes. What lasts for less than half a minute may not be seen at all.
 */
export class HealthWatch {
  readonly #job: Job;
  readonly #db: Database;
  readonly #tenants: readonly string[];
  readonly #observer = randomUuid();
  /** What could not be recorded yet, by tenant, oldest first. */
  readonly #kept = new Map<string, NumberedObservation[]>();
  #pass = 0;
  #underWay = false;
  #settled = false;
  #callOff: () => void = () => {};

  constructor(config: HealthWatchConfig, private readonly deps: HealthWatchDeps) {
    this.#db = new LimitedDatabase(deps.db, LIMITS);
    this.#job = new Job(LEASE, { db: this.#db, logger: deps.logger });
    this.#tenants = [...config.tenants];
  }

  start(): void {
    this.#job.schedule("health", EACH_MINUTE, () => this.minute());
  }

  /** Ends after the pass under way; another core may observe at once. */
  async stop(): Promise<void> {
    this.#callOff();
    await this.#job.stop();
  }

  /**
   * What is due in a minute: a pass now and one half a minute later. After the start only the latter: disks are measured and
   * lists read by then, and senders have delivered what they had kept.
   */
  minute(): void {
    const later = this.deps.later ?? afterTime;
    if (this.#settled) this.#due();
    this.#settled = true;
    this.#callOff = later(HALF_MINUTE, () => this.#due());
  }

  /** One pass now, after the one under way. */
  run(): Promise<void> {
    return this.#job.inTurn(async () => {
      this.#underWay = true;
      await this.#job.attempt("observe the health", () => this.#observe());
      this.#underWay = false;
    });
  }

  /** A pass that takes longer than half a minute lets the next one out. */
  #due(): void {
    if (!this.#underWay) void this.run();
  }

  async #observe(): Promise<void> {
    const lease = await this.#hold();
    if (lease === null) {
      // The other one sees what this one saw.
      this.#kept.clear();
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

  /** The lease; null where another core has it, undefined where nobody can tell. */
  async #hold(): Promise<Lease | null | undefined> {
    try {
      return await this.#job.hold();
    } catch (error) {
      if (error instanceof StoreUnavailable) return undefined;
      throw error;
    }
  }

  #observeTenant(tenantId: string, lease: Lease | undefined): Promise<void> {
    return this.#job.attempt("observe the health", async () => {
      const at = this.deps.clock.now();
      const { components } = await this.deps.reporter.report(tenantId, at);
      const observations = [...this.#kept.get(tenantId) ?? [], { pass: this.#pass, at, components }];
      if (lease === undefined) return this.#keep(tenantId, observations);
      try {
        const transitions = await this.#db.tenant(
          tenantId,
          (tx) => recordObservations(tx, tenantId, this.#observer, lease, observations),
        );
        this.#kept.delete(tenantId);
        this.#tell(tenantId, transitions ?? []);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        this.#keep(tenantId, observations);
      }
    }, { tenant: tenantId });
  }

  /** Keeps observations until they can be recorded; of those that are the same, the first. */
  #keep(tenantId: string, observations: NumberedObservation[]): void {
    const [newest, before] = [observations.at(-1)!, observations.at(-2)];
    if (before === undefined) {
      this.deps.logger.warn("the health cannot be recorded; changes are kept until it can", {
        tenant: tenantId,
      });
    } else if (sameHealth(before, newest)) observations.pop();
    // The first and the newest stay: where it began, and where it stands.
    if (observations.length > KEPT_OBSERVATIONS) observations.splice(1, 1);
    this.#kept.set(tenantId, observations);
  }

  #tell(tenantId: string, transitions: readonly Transition[]): void {
    for (const { componentId, from, to, message } of transitions) {
      const why = message === null ? {} : { reason: message };
      const fields = { tenant: tenantId, component: componentId, from, to, ...why };
      if (to === "ok") this.deps.logger.info("health changed", fields);
      else this.deps.logger.warn("health changed", fields);
    }
  }
}

function afterTime(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}
