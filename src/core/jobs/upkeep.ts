import type { SpaceFacts } from "../../domain/health/disk.ts";
import { messageOf } from "../../kit/errors.ts";
import { purgeAnswers } from "../../store/idempotency.ts";
import { acquireLease, releaseLease } from "../../store/leases.ts";
import { purgeNonces } from "../../store/nonces.ts";
import { createPartitions } from "../../store/partitions.ts";
import { purgeSessions } from "../../store/sessions.ts";
import { listTenants } from "../../store/tenants.ts";
import { applyRetention } from "./retention.ts";
import { type SpaceDeps, SpaceKeeper } from "./space-keeper.ts";

export interface UpkeepConfig {
  retentionDays: number;
  /** Bytes that may be stored; null for no limit. */
  retentionBytes?: number | null;
  /** Cron expression, UTC. */
  schedule?: string;
}

export type UpkeepDeps = SpaceDeps;

const LEASE = "upkeep";
const LEASE_SECONDS = 1800;
/** Early in each hour, but not when everybody's hourly work begins. */
const HOURLY = "7 * * * *";
const EACH_MINUTE = "* * * * *";

/** Makes partitions ahead and removes what has expired or is too much, on one core at a time. */
export class Upkeep {
  readonly #stop = new AbortController();
  readonly #holder = crypto.randomUUID();
  readonly #space: SpaceKeeper | null;
  #round: Promise<void> = Promise.resolve();

  constructor(private readonly config: UpkeepConfig, private readonly deps: UpkeepDeps) {
    const { retentionBytes = null } = config;
    this.#space = retentionBytes === null ? null : new SpaceKeeper(retentionBytes, deps);
  }

  start(): void {
    const { signal } = this.#stop;
    Deno.cron("upkeep", this.config.schedule ?? HOURLY, { signal }, () => this.run());
    // In an hour a disk can fill up.
    if (this.#space) Deno.cron("upkeep space", EACH_MINUTE, { signal }, () => this.makeRoom());
  }

  /** How the limit on bytes fares; null where there is none, or before the first look. */
  space(): SpaceFacts | null {
    return this.#space?.facts() ?? null;
  }

  /** Ends after the round under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#round;
  }

  /** One round now, unless another core is at it. What fails is logged, keeps nothing else back, and is tried again. */
  run(): Promise<void> {
    const { db, logger, clock } = this.deps;
    const { retentionDays } = this.config;
    return this.#inTurn(() =>
      this.#alone(async () => {
        const now = clock.now();
        await this.#attempt("make partitions", () => createPartitions(db, now, retentionDays));
        await this.#attempt("apply the retention", async () => {
          const removed = await applyRetention(db, now, retentionDays);
          if (removed.partitions.length + removed.rows > 0) {
            logger.info("dropped what is older than NDR_RETENTION_DAYS", { ...removed });
          }
        });
        await this.#attempt("keep to NDR_RETENTION_BYTES", async () => {
          if (await this.#space?.isDue()) await this.#space?.apply();
        });
        await this.#attempt("forget sessions, nonces and answers", () => purge(db, now));
      })
    );
  }

  /** Keeps to the limit on bytes now, unless another core is at it. */
  makeRoom(): Promise<void> {
    return this.#inTurn(() =>
      this.#attempt("measure what is stored", async () => {
        if (!(await this.#space?.isDue())) return;
        await this.#alone(() =>
          this.#attempt("keep to NDR_RETENTION_BYTES", async () => await this.#space?.apply())
        );
      })
    );
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    return this.#round = this.#round.then(work);
  }

  /** Under the lease. */
  async #alone(work: () => Promise<void>): Promise<void> {
    await this.#attempt("take the lease", async () => {
      const lease = await acquireLease(this.deps.db, LEASE, this.#holder, LEASE_SECONDS);
      if (!lease) return;
      await work();
      await releaseLease(this.deps.db, lease);
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

async function purge(db: SpaceDeps["db"], now: number): Promise<void> {
  await db.shared(async (tx) => {
    await purgeSessions(tx, now);
    await purgeNonces(tx, now);
  });
  for (const tenantId of await listTenants(db)) {
    await db.tenant(tenantId, (tx) => purgeAnswers(tx, tenantId, now));
  }
}
