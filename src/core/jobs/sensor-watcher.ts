import { updateWatch } from "../../domain/health/rhythm.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Logger } from "../../observe/log.ts";
import type { Database } from "../../store/engine/database.ts";
import { lastReceipts } from "../../store/health/read.ts";
import { saveSensorWatch, sensorWatches } from "../../store/health/sensor-watch.ts";
import { Job } from "./job.ts";

interface SensorWatcherConfig {
  /** The enabled sensors of each tenant, as they are configured now. */
  tenants: ReadonlyMap<string, { sensors: readonly { sensorId: string }[] }>;
  /** Cron expression, UTC. */
  schedule?: string;
}

interface SensorWatcherDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** False while records are refused, as on a full disk: that nothing comes then says nothing of the sensors. */
  canReceive: () => boolean;
}

const LEASE = { name: "sensor_watch", seconds: 60 };
const EACH_MINUTE = "* * * * *";

/**
 * Looks each minute at which sensors were heard of, on one core at a time, and so learns how long each is usually silent. What
 * happens while nobody looks, as during an outage of the appliance, is not counted.
 */
export class SensorWatcher {
  readonly #job: Job;

  constructor(private readonly config: SensorWatcherConfig, private readonly deps: SensorWatcherDeps) {
    this.#job = new Job(LEASE, deps);
  }

  start(): void {
    this.#job.schedule("sensor watch", this.config.schedule ?? EACH_MINUTE, () => this.run());
    this.run();
  }

  /** Ends after the look under way. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** One look now, unless another core is at it. What fails is logged and tried again. */
  run(): Promise<void> {
    return this.#job.inTurn(() =>
      this.#job.alone("watch the sensors", async () => {
        if (!this.deps.canReceive()) return;
        for (const tenantId of this.config.tenants.keys()) {
          await this.#job.attempt("watch the sensors", () => this.#look(tenantId), { tenant_id: tenantId });
        }
      })
    );
  }

  async #look(tenantId: string): Promise<void> {
    const sensors = this.config.tenants.get(tenantId)?.sensors ?? [];
    await this.deps.db.tenant(tenantId, async (tx) => {
      const receipts = await lastReceipts(tx, tenantId);
      const watches = await sensorWatches(tx, tenantId);
      for (const { sensorId } of sensors) {
        const heardAt = receipts.get(sensorId);
        if (heardAt === undefined) continue;
        const watch = updateWatch(watches.get(sensorId) ?? null, heardAt, this.deps.clock.now());
        await saveSensorWatch(tx, tenantId, sensorId, watch);
      }
    });
  }
}
