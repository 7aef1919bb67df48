import type { Clock } from "../../kit/clock.ts";
import type { Logger } from "../../observe/log.ts";
import type { Database } from "../../store/engine/database.ts";
import { pruneEvents } from "../../store/connector/event-log.ts";
import { listTenants } from "../../store/engine/tenants.ts";
import { Job } from "./job.ts";

interface EventLogKeeperDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
}

const LEASE = { name: "event log", seconds: 60 };
/** Frequent, so that a burst of events exceeds the limit only briefly. */
const EACH_MINUTE = "*";

/**
 * Limits each tenant's event log to 7 days or 10,000 events, whichever is smaller. Runs on one core at a
 * time.
 */
export class EventLogKeeper {
  readonly #job: Job;

  constructor(private readonly deps: EventLogKeeperDeps) {
    this.#job = new Job(LEASE, deps);
  }

  start(): void {
    this.#job.schedule(EACH_MINUTE, () => this.run());
  }

  /** Resolves after the current round. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** Runs one round now, unless another core holds the lease. Failures are logged and retried. */
  run(): Promise<void> {
    return this.#job.enqueue(() => this.#job.underLease("prune the event log", () => this.#prune()));
  }

  async #prune(): Promise<void> {
    const { db, clock } = this.deps;
    const now = clock.now();
    for (const tenantId of await listTenants(db)) {
      await this.#job.attempt(
        "prune the event log",
        () => db.tenant(tenantId, (tx) => pruneEvents(tx, tenantId, now)),
        { tenant: tenantId },
      );
    }
  }
}
