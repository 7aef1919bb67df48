import type { ClockReading } from "../../domain/health/clock-reading.ts";
import type { SpaceFacts } from "../../domain/health/disk.ts";
import { AUDIT_FLOOR_DAYS, expireAudit } from "../../store/session/audit.ts";
import { purgeAnswers } from "../../store/session/idempotency.ts";
import { expireTransitions, TRANSITION_DAYS } from "../../store/health/transitions.ts";
import { expirePeople } from "../../store/session/people.ts";
import { purgeNonces } from "../../store/session/nonces.ts";
import { createPartitions } from "../../store/engine/schema/partitions.ts";
import { purgeSessions } from "../../store/session/sessions.ts";
import { listTenants } from "../../store/engine/tenants.ts";
import { auditSessionEnd } from "../session-audit.ts";
import { Job } from "./job.ts";
import { applyRetention } from "./retention.ts";
import { payForDays, refundDays } from "./drop-days.ts";
import { type SpaceDeps, SpaceKeeper } from "./space-keeper.ts";

interface UpkeepConfig {
  retentionDays: number;
  /** Bytes that may be stored; null for no limit. */
  retentionBytes?: number | null;
  /** Retention of audit rows, in days; default 400, so that a full year is covered. */
  auditDays?: number;
  /** Minutes of the hour, as in a cron expression. */
  schedule?: string;
}

interface UpkeepDeps extends SpaceDeps {
  /** The time that age is judged by. */
  time: { read(): Promise<ClockReading> };
  /** The time zone of a tenant's site, whose days its traffic is summed up by; UTC without it. */
  zoneOf?: (tenantId: string) => string | undefined;
}

const AUDIT_DAYS = 400;
const DAY = 86_400_000_000;
const LEASE = { name: "upkeep", seconds: 1800 };
/** Off the full hour, when other hourly jobs start. */
const HOURLY = "7";
const EACH_MINUTE = "*";

/** Creates partitions ahead of time and removes expired and excess data. Runs on one core at a time. */
export class Upkeep {
  readonly #job: Job;
  readonly #space: SpaceKeeper | null;

  constructor(private readonly config: UpkeepConfig, private readonly deps: UpkeepDeps) {
    this.#job = new Job(LEASE, deps);
    const { retentionBytes = null } = config;
    this.#space = retentionBytes === null ? null : new SpaceKeeper(retentionBytes, deps);
  }

  start(): void {
    this.#job.schedule(this.config.schedule ?? HOURLY, () => this.run());
    // A disk can fill up within an hour.
    if (this.#space) this.#job.schedule(EACH_MINUTE, () => this.makeRoom());
  }

  /** State of the byte limit; null without a limit or before the first measurement. */
  space(): SpaceFacts | null {
    return this.#space?.facts() ?? null;
  }

  /** Resolves after the current round. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /**
   * Runs one round now, unless another core holds the lease. A failed step is logged and retried next round.
   */
  run(): Promise<void> {
    return this.#job.enqueue(() => this.#job.underLease("maintain the database", () => this.#maintain()));
  }

  /** Enforces the byte limit now, unless another core holds the lease. */
  makeRoom(): Promise<void> {
    return this.#job.enqueue(() =>
      this.#job.attempt("measure the stored data", async () => {
        if (!(await this.#space?.isDue())) return;
        await this.#job.underLease("enforce NDR_RETENTION_BYTES", () => this.#dropExcess());
      })
    );
  }

  async #maintain(): Promise<void> {
    const { db, logger, clock, time } = this.deps;
    const { retentionDays } = this.config;
    await this.#job.attempt(
      "create partitions",
      () => createPartitions(db, clock.now(), retentionDays),
    );
    await this.#job.attempt("apply the retention", () => this.#applyRetention());
    await this.#job.attempt("enforce NDR_RETENTION_BYTES", async () => {
      if (await this.#space?.isDue()) await this.#dropExcess();
    });
    await this.#job.attempt(
      "purge sessions, nonces and answers",
      async () => await purge(db, (await time.read()).at),
    );
    await this.#job.attempt("remove old audit rows", async () => {
      const { at, doubt } = await time.read();
      if (doubt !== null) return;
      const days = Math.max(AUDIT_FLOOR_DAYS, this.config.auditDays ?? AUDIT_DAYS);
      const tenants = await listTenants(db);
      for (const tenantId of tenants) {
        await db.tenant(tenantId, async (tx) => {
          await expirePeople(tx, tenantId, at - days * DAY);
          await expireTransitions(tx, tenantId, at - TRANSITION_DAYS * DAY);
        });
      }
      const removed = await expireAudit(db, tenants, at - days * DAY);
      if (removed > 0) logger.info("removed audit rows older than NDR_AUDIT_DAYS", { rows: removed });
    });
  }

  async #applyRetention(): Promise<void> {
    const { db, logger, time } = this.deps;
    const { retentionDays } = this.config;
    const { at, doubt } = await time.read();
    if (doubt !== null) return;
    const plan = await payForDays(db, at, retentionDays);
    const removed = await applyRetention(db, plan.at, retentionDays, this.deps.zoneOf);
    await refundDays(db, plan);
    if (removed.partitions.length + removed.rows > 0) {
      logger.info("dropped data older than NDR_RETENTION_DAYS", { ...removed });
    }
  }

  /** Also while the clock is in doubt: the limit depends on it only for today's records, which stay. */
  async #dropExcess(): Promise<void> {
    await this.#space?.apply((await this.deps.time.read()).at);
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
