import { countTerms } from "../../store/search/term-counts.ts";
import { Job, type JobDeps } from "./job.ts";

interface TermCounterConfig {
  tenants: Iterable<string>;
}

const LEASE = { name: "term counts", seconds: 300 };
const EACH_MINUTE = "*";

/** Keeps the counts of the dictionary's texts, by which completion ranks them. Runs on one core at a time. */
export class TermCounter {
  readonly #job: Job;
  readonly #tenants: readonly string[];

  constructor({ tenants }: TermCounterConfig, private readonly deps: JobDeps) {
    this.#tenants = [...tenants];
    this.#job = new Job(LEASE, deps);
  }

  start(): void {
    this.#job.schedule(EACH_MINUTE, () => this.run());
  }

  /** Resolves after the current transaction. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** Runs one round now, unless another core holds the lease. Failures are logged and retried. */
  run(): Promise<void> {
    return this.#job.enqueue(() => this.#job.underLease("count the texts of records", () => this.#count()));
  }

  async #count(): Promise<void> {
    for (const tenantId of this.#tenants) {
      let isDone = false;
      while (!isDone && !this.#job.signal.aborted) {
        isDone = await this.deps.db.tenant(tenantId, (tx) => countTerms(tx, tenantId));
      }
    }
  }
}
