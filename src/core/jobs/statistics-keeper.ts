import type { Database } from "../../store/engine/database.ts";
import { outgrownTables, takeStatistics, unknownTables } from "../../store/engine/schema/statistics.ts";
import { Job, type JobDeps } from "./job.ts";

const LEASE = { name: "statistics", seconds: 600 };
const EACH_MINUTE = "*";
/** Interval of checks for tables without statistics while rows are written. */
const CHECK_MILLISECONDS = 5_000;

/**
 * Updates the planner statistics of the database's tables, on one core at a time. The embedded database has
 * no autovacuum; on a server autovacuum usually gets there first.
 */
export class StatisticsKeeper {
  readonly #job: Job;
  #nextCheck = -Infinity;

  constructor(private readonly deps: JobDeps) {
    this.#job = new Job(LEASE, deps);
  }

  start(): void {
    this.#job.schedule(EACH_MINUTE, () => this.run());
  }

  /** Resolves after the current table. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** Runs one round now, unless another core holds the lease. Failures are logged and retried. */
  run(): Promise<void> {
    return this.#analyse(outgrownTables);
  }

  /**
   * Must be called after rows were written. Each day starts with partitions without statistics, for which the
   * planner underestimates a tenant's rows; a busy pipeline would scan them repeatedly until they are
   * analysed.
   */
  async written(): Promise<void> {
    const now = performance.now();
    if (now < this.#nextCheck) return;
    this.#nextCheck = now + CHECK_MILLISECONDS;
    await this.#analyse(unknownTables);
  }

  #analyse(find: (db: Database) => Promise<string[]>): Promise<void> {
    const { db } = this.deps;
    const analyseAll = async () => {
      for (const table of await find(db)) {
        await this.#job.attempt("update a table's statistics", () => takeStatistics(db, table), { table });
      }
    };
    return this.#job.enqueue(() => this.#job.underLease("update the table statistics", analyseAll));
  }
}
