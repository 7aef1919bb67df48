import type { SpaceFacts } from "../../domain/health/disk.ts";
import { AUDIT_FLOOR_DAYS, expireAudit } from "../../store/session/audit.ts";
import { purgeAnswers } from "../../store/session/idempotency.ts";
import { purgeNonces } from "../../store/session/nonces.ts";
import { createPartitions } from "../../store/engine/schema/partitions.ts";
import { purgeSessions } from "../../store/session/sessions.ts";
import { listTenants } from "../../store/engine/tenants.ts";
import { auditSessionEnd } from "../session-audit.ts";
import { Job } from "./job.ts";
import { applyRetention } from "./retention.ts";
import { type SpaceDeps, SpaceKeeper } from "./space-keeper.ts";

interface UpkeepConfig {
  retentionDays: number;
  /** Bytes that may be stored; null for no limit. */
  retentionBytes?: number | null;
  /** How long audit rows are kept, in days; default 400, so that a year can be told of. */
  auditDays?: number;
  /** Cron expression, UTC. */
  schedule?: string;
}

type UpkeepDeps = SpaceDeps;

const AUDIT_DAYS = 400;
const DAY = 86_400_000_000;
const LEASE = { name: "upkeep", seconds: 1800 };
/** Early in each hour, but not when everybody's hourly work begins. */
const HOURLY = "7 * * * *";
const EACH_MINUTE = "* * * * *";

/** Makes partitions ahead and removes what has expired or is too much, on one core at a time. */
export class Upkeep {
  readonly #job: Job;
  readonly #space: SpaceKeeper | null;

  constructor(private readonly config: UpkeepConfig, private readonly deps: UpkeepDeps) {
    this.#job = new Job(LEASE, deps);
    const { retentionBytes = null } = config;
    this.#space = retentionBytes === null ? null : new SpaceKeeper(retentionBytes, deps);
  }

  start(): void {
    this.#job.schedule("upkeep", this.config.schedule ?? HOURLY, () => this.run());
    // In an hour a disk can fill up.
    if (this.#space) this.#job.schedule("upkeep space", EACH_MINUTE, () => this.makeRoom());
  }

  /** How the limit on bytes fares; null where there is none, or before the first look. */
  space(): SpaceFacts | null {
    return this.#space?.facts() ?? null;
  }

  /** Ends after the round under way. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** One round now, unless another core is at it. What fails is logged, keeps nothing else back, and is tried again. */
  run(): Promise<void> {
    return this.#job.inTurn(() => this.#job.alone("keep up the database", () => this.#keepUp()));
  }

  /** Keeps to the limit on bytes now, unless another core is at it. */
  makeRoom(): Promise<void> {
    return this.#job.inTurn(() =>
      this.#job.attempt("measure what is stored", async () => {
        if (!(await this.#space?.isDue())) return;
        await this.#job.alone("keep to NDR_RETENTION_BYTES", async () => await this.#space?.apply());
      })
    );
  }

  async #keepUp(): Promise<void> {
    const { db, logger, clock } = this.deps;
    const { retentionDays } = this.config;
    const now = clock.now();
    await this.#job.attempt("make partitions", () => createPartitions(db, now, retentionDays));
    await this.#job.attempt("apply the retention", async () => {
      const removed = await applyRetention(db, now, retentionDays);
      if (removed.partitions.length + removed.rows > 0) {
        logger.info("dropped what is older than NDR_RETENTION_DAYS", { ...removed });
      }
    });
    await this.#job.attempt("keep to NDR_RETENTION_BYTES", async () => {
      if (await this.#space?.isDue()) await this.#space?.apply();
    });
    await this.#job.attempt("forget sessions, nonces and answers", () => purge(db, now));
    await this.#job.attempt("remove old audit rows", async () => {
      const days = Math.max(AUDIT_FLOOR_DAYS, this.config.auditDays ?? AUDIT_DAYS);
      const removed = await expireAudit(db, await listTenants(db), now - days * DAY);
      if (removed > 0) logger.info("removed audit rows older than NDR_AUDIT_DAYS", { rows: removed });
    });
  }
}

async function purge(db: SpaceDeps["db"], now: number): Promise<void> {
  await db.shared(async (tx) => {
    for (const session of await purgeSessions(tx, now)) {
      await auditSessionEnd(tx, "sessionExpired", session, now);
    }
    await purgeNonces(tx, now);
  });
  for (const tenantId of await listTenants(db)) {
    await db.tenant(tenantId, (tx) => purgeAnswers(tx, tenantId, now));
  }
}
