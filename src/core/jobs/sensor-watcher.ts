import { updateWatch } from "../../domain/health/rhythm.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Logger } from "../../observe/log.ts";
import type { Database } from "../../store/engine/database.ts";
import { saveConfiguredSensors } from "../../store/health/configured-sensors.ts";
import { lastReceipts } from "../../store/health/read.ts";
import { saveSensorWatch, sensorWatches } from "../../store/health/sensor-watch.ts";
import { Job } from "./job.ts";

interface SensorWatcherConfig {
  /** The currently enabled sensors per tenant. */
  tenants: ReadonlyMap<string, { sensors: readonly { sensorId: string }[] }>;
  /** Minutes of the hour, as in a cron expression. */
  schedule?: string;
}

interface SensorWatcherDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** False while ingest is stopped, as on a full disk; silence of a sensor then means nothing. */
  canReceive: () => boolean;
}

const LEASE = { name: "sensor_watch", seconds: 60 };
const EACH_MINUTE = "*";

/**
 * Checks every minute which sensors are configured and which have sent records, and learns how long each is
 * usually silent. Runs on one core at a time. Time without checks, as during an outage of the appliance, is not counted.
 */
export class SensorWatcher {
  readonly #job: Job;

  constructor(private readonly config: SensorWatcherConfig, private readonly deps: SensorWatcherDeps) {
    this.#job = new Job(LEASE, deps);
  }

  start(): void {
    this.#job.schedule(this.config.schedule ?? EACH_MINUTE, () => this.run());
    this.run();
  }

  /** Resolves after the current check. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** Runs one check now, unless another core holds the lease. Failures are logged and retried. */
  run(): Promise<void> {
    return this.#job.enqueue(() =>
      this.#job.underLease("check the sensors", async () => {
        for (const tenantId of this.config.tenants.keys()) {
          await this.#job.attempt("check the sensors", () => this.#check(tenantId), { tenant_id: tenantId });
        }
      })
    );
  }

  async #check(tenantId: string): Promise<void> {
    const sensors = this.config.tenants.get(tenantId)?.sensors ?? [];
    await this.deps.db.tenant(tenantId, async (tx) => {
      const sensorIds = sensors.map(({ sensorId }) => sensorId);
      await saveConfiguredSensors(tx, tenantId, sensorIds, this.deps.clock.now());
      if (!this.deps.canReceive()) return;
      const receipts = await lastReceipts(tx, tenantId);
      const watches = await sensorWatches(tx, tenantId);
      for (const sensorId of sensorIds) {
        const heardAt = receipts.get(sensorId);
        if (heardAt === undefined) continue;
        const watch = updateWatch(watches.get(sensorId) ?? null, heardAt, this.deps.clock.now());
        await saveSensorWatch(tx, tenantId, sensorId, watch);
      }
    });
  }
}
