import { outgrownTables, takeStatistics } from "../../store/statistics.ts";
import { Job, type JobDeps } from "./job.ts";

const LEASE = { name: "statistics", seconds: 600 };
const EACH_MINUTE = "* * * * *";

/**
 * Lets the database know what its tables hold, on one core at a time. The embedded database has nobody else who does; a
 * server's autovacuum mostly comes first.
 */
export class StatisticsKeeper {
  readonly #job: Job;

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
    return this.#job.inTurn(() => this.#job.alone("take the tables' statistics", () => this.#take()));
  }

  async #take(): Promise<void> {
    const { db } = this.deps;
    for (const table of await outgrownTables(db)) {
      await this.#job.attempt("take a table's statistics", () => takeStatistics(db, table), { table });
    }
  }
}
