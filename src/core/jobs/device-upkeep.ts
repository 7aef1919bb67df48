import type { TenantInventory } from "../../config/inventory.ts";
import type { Site } from "../../contract/site.ts";
import { vlanFinder } from "../../domain/device/vlan.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Logger } from "../../observe/log.ts";
import type { Database } from "../../store/engine/database.ts";
import { replaceGuesses, untaggedAddresses } from "../../store/device/vlans.ts";
import { liftExpired } from "../../store/review/suppression-match.ts";
import { classifyDue } from "./classify-devices.ts";
import { applyInventory, storeInventory } from "./inventory.ts";
import { Job } from "./job.ts";

interface DeviceUpkeepConfig {
  /** Every tenant, with its site. */
  tenants: ReadonlyMap<string, { site: Pick<Site, "vlans"> }>;
  /** The inventory as it was read at the start. */
  inventory: readonly TenantInventory[];
  /** Cron expression, UTC. */
  schedule?: string;
}

interface DeviceUpkeepDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
}

const LEASE = { name: "devices", seconds: 120 };
const EACH_MINUTE = "* * * * *";
/** Devices of a tenant judged in one round, so that a round ends within seconds. */
const JUDGED_PER_ROUND = 200;
/** In microseconds: VLANs by address change with the configuration, or where devices exchange addresses. */
const VLANS_AGAIN_AFTER = 3_600_000_000;

/**
 * Keeps up what is said of devices beside what the pipeline sees: the inventory, VLANs by address, scores after
 * suppressions that have expired, and what their behaviour makes of them; on one core at a time.
 */
export class DeviceUpkeep {
  readonly #job: Job;
  /** What was read and is not stored yet. */
  #unstored: readonly TenantInventory[] | null;
  #vlansAt = -Infinity;

  constructor(private readonly config: DeviceUpkeepConfig, private readonly deps: DeviceUpkeepDeps) {
    this.#unstored = config.inventory;
    this.#job = new Job(LEASE, deps);
  }

  /** Stores the inventory, so that the first record already finds it. */
  prepare(): Promise<void> {
    return this.#job.attempt("store the inventory", () => this.#storeInventory());
  }

  start(): void {
    this.#job.schedule("devices", this.config.schedule ?? EACH_MINUTE, () => this.run());
    this.run();
  }

  /** Ends after the step under way. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** Takes another inventory, from now on. */
  useInventory(inventory: readonly TenantInventory[]): Promise<void> {
    this.#unstored = inventory;
    return this.run();
  }

  /** One round now, unless another core is at it. What fails is logged, keeps nothing else back, and is tried again. */
  run(): Promise<void> {
    return this.#job.inTurn(async () => {
      await this.prepare();
      await this.#job.alone("keep up devices", () => this.#keepUp());
    });
  }

  async #keepUp(): Promise<void> {
    const { db, clock } = this.deps;
    const now = clock.now();
    const vlansDue = Math.abs(now - this.#vlansAt) >= VLANS_AGAIN_AFTER;
    for (const [tenantId, { site }] of this.config.tenants) {
      const attempt = (what: string, work: () => Promise<unknown>) =>
        this.#job.attempt(what, work, { tenant: tenantId });
      await attempt("apply the inventory", () => applyInventory(db, tenantId));
      await attempt(
        "lift expired suppressions",
        () => db.tenant(tenantId, (tx) => liftExpired(tx, tenantId, now)),
      );
      if (vlansDue) await attempt("find VLANs by address", () => guessVlans(db, tenantId, site));
      await attempt(
        "classify devices",
        () => classifyDue(db, tenantId, now, JUDGED_PER_ROUND, this.#job.signal),
      );
    }
    if (vlansDue) this.#vlansAt = now;
  }

  async #storeInventory(): Promise<void> {
    const inventory = this.#unstored;
    if (inventory === null) return;
    const { db, clock, logger } = this.deps;
    for (const tenantId of this.config.tenants.keys()) {
      const devices = inventory.find((one) => one.tenantId === tenantId)?.devices ?? [];
      const change = await storeInventory(db, tenantId, devices, clock.now());
      if (change.added + change.removed === 0) continue;
      logger.info("the inventory has changed", { tenant: tenantId, entries: devices.length, ...change });
    }
    if (this.#unstored === inventory) this.#unstored = null;
  }
}

/** The VLANs that the site's networks have for the addresses of devices of which no tag was seen. */
export async function guessVlans(
  db: Database,
  tenantId: string,
  { vlans }: Pick<Site, "vlans">,
): Promise<void> {
  const vlanOf = vlanFinder(vlans);
  await db.tenant(tenantId, async (tx) => {
    const found = new Map<string, { deviceId: string; vlanId: number }>();
    for (const { deviceId, ip } of await untaggedAddresses(tx, tenantId)) {
      const vlanId = vlanOf(ip);
      if (vlanId !== null) found.set(`${deviceId} ${vlanId}`, { deviceId, vlanId });
    }
    await replaceGuesses(tx, tenantId, [...found.values()]);
  });
}
