import type { Clock } from "../../kit/clock.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Logger } from "../../observe/log.ts";
import type { Database } from "../../store/database.ts";
import { purgeAnswers } from "../../store/idempotency.ts";
import { acquireLease, releaseLease } from "../../store/leases.ts";
import { purgeNonces } from "../../store/nonces.ts";
import { createPartitions } from "../../store/partitions.ts";
import { purgeSessions } from "../../store/sessions.ts";
import { listTenants } from "../../store/tenants.ts";
import { applyRetention } from "./retention.ts";

export interface UpkeepConfig {
  retentionDays: number;
  /** Cron expression, UTC. */
  schedule?: string;
}

export interface UpkeepDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
}

const LEASE = "upkeep";
const LEASE_SECONDS = 1800;
/** Early in each hour, but not when everybody's hourly work begins. */
const HOURLY = "7 * * * *";

/** Makes partitions ahead and removes what has expired, on one core at a time. */
export class Upkeep {
  readonly #stop = new AbortController();
  readonly #holder = crypto.randomUUID();
  #round: Promise<void> = Promise.resolve();

  constructor(private readonly config: UpkeepConfig, private readonly deps: UpkeepDeps) {}

  start(): void {
    Deno.cron("upkeep", this.config.schedule ?? HOURLY, { signal: this.#stop.signal }, () => this.run());
  }

  /** Ends after the round under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#round;
  }

  /** One round now, unless another core is at it. What fails is logged, keeps nothing else back, and is tried again. */
  run(): Promise<void> {
    return this.#round = this.#round.then(() => this.#run());
  }

  async #run(): Promise<void> {
    const { db } = this.deps;
    const now = this.deps.clock.now();
    const { retentionDays } = this.config;
    await this.#attempt("take the lease", async () => {
      const lease = await acquireLease(db, LEASE, this.#holder, LEASE_SECONDS);
      if (!lease) return;
      await this.#attempt("make partitions", () => createPartitions(db, now, retentionDays));
      await this.#attempt("apply the retention", () => applyRetention(db, now, retentionDays));
      await this.#attempt("forget sessions, nonces and answers", () => purge(db, now));
      await releaseLease(db, lease);
    });
  }

  async #attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    if (this.#stop.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      this.deps.logger.error(`upkeep could not ${what} and will try again`, { message: messageOf(error) });
    }
  }
}

async function purge(db: Database, now: number): Promise<void> {
  await db.shared(async (tx) => {
    await purgeSessions(tx, now);
    await purgeNonces(tx, now);
  });
  for (const tenantId of await listTenants(db)) {
    await db.tenant(tenantId, (tx) => purgeAnswers(tx, tenantId, now));
  }
}
