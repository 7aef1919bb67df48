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

  constructor(private readonly config: UpkeepConfig, private readonly deps: UpkeepDeps) {}

  start(): void {
    Deno.cron("upkeep", this.config.schedule ?? HOURLY, { signal: this.#stop.signal }, () => this.run());
  }

  stop(): void {
    this.#stop.abort();
  }

  /** One round now, unless another core is at it. A failure is logged; the next round tries again. */
  async run(): Promise<void> {
    const { db, logger } = this.deps;
    try {
      const lease = await acquireLease(db, LEASE, this.#holder, LEASE_SECONDS);
      if (!lease) return;
      await this.#work();
      await releaseLease(db, lease);
    } catch (error) {
      logger.error("upkeep failed and will be tried again", { message: messageOf(error) });
    }
  }

  async #work(): Promise<void> {
    const { db, clock } = this.deps;
    const now = clock.now();
    await createPartitions(db, now, this.config.retentionDays);
    await applyRetention(db, now, this.config.retentionDays);
    await db.shared(async (tx) => {
      await purgeSessions(tx, now);
      await purgeNonces(tx, now);
    });
    for (const tenantId of await listTenants(db)) {
      await db.tenant(tenantId, (tx) => purgeAnswers(tx, tenantId, now));
    }
  }
}
