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
/** A storm of events must not outgrow the log for long. */
const EACH_MINUTE = "* * * * *";

/** Keeps each tenant's event log to seven days or 10,000 events, whichever is smaller, on one core at a time. */
export class EventLogKeeper {
  readonly #job: Job;

  constructor(private readonly deps: EventLogKeeperDeps) {
    this.#job = new Job(LEASE, deps);
  }

  start(): void {
    this.#job.schedule("event log", EACH_MINUTE, () => this.run());
  }

  /** Ends after the round under way. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** One round now, unless another core is at it. What fails is logged and tried again. */
  run(): Promise<void> {
    return this.#job.inTurn(() => this.#job.alone("prune the event log", () => this.#prune()));
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
