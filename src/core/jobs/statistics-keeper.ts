import type { Database } from "../../store/engine/database.ts";
import { outgrownTables, takeStatistics, unknownTables } from "../../store/engine/schema/statistics.ts";
import { Job, type JobDeps } from "./job.ts";

const LEASE = { name: "statistics", seconds: 600 };
const EACH_MINUTE = "* * * * *";
/** Between two looks for tables without any statistics, while rows are written. */
const LOOK_MILLISECONDS = 5_000;

/**
 * Lets the database know what its tables hold, on one core at a time. The embedded database has nobody else who does; a
 * server's autovacuum mostly comes first.
 */
export class StatisticsKeeper {
  readonly #job: Job;
  #nextLook = -Infinity;

  constructor(private readonly deps: JobDeps) {
    this.#job = new Job(LEASE, deps);
  }

  start(): void {
    this.#job.schedule("statistics", EACH_MINUTE, () => this.run());
  }

  /** Ends after the table under way. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** One round now, unless another core is at it. What fails is logged and tried again. */
  run(): Promise<void> {
    return this.#take(outgrownTables);
  }

  /**
   * Rows were written. Each day begins with tables of which nothing is known, and of those the planner takes one tenant's rows
   * for few: until they are first looked at a busy pipeline would read all of them again and again.
   */
  async written(): Promise<void> {
    const now = performance.now();
    if (now < this.#nextLook) return;
    this.#nextLook = now + LOOK_MILLISECONDS;
    await this.#take(unknownTables);
  }

  #take(find: (db: Database) => Promise<string[]>): Promise<void> {
    const { db } = this.deps;
    const takeAll = async () => {
      for (const table of await find(db)) {
        await this.#job.attempt("take a table's statistics", () => takeStatistics(db, table), { table });
      }
    };
    return this.#job.inTurn(() => this.#job.alone("take the tables' statistics", takeAll));
  }
}
