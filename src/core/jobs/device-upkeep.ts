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
  /** The inventory read at startup. */
  inventory: readonly TenantInventory[];
  /** Minutes of the hour, as in a cron expression. */
  schedule?: string;
}

interface DeviceUpkeepDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
}

const LEASE = { name: "devices", seconds: 120 };
const EACH_MINUTE = "*";
/** Devices classified per tenant and round, so that a round ends within seconds. */
const CLASSIFIED_PER_ROUND = 200;
/**
 * Microseconds between updates of VLANs by address, which change only with the configuration or readdressing.
 */
const VLAN_INTERVAL = 3_600_000_000;

/**
 * Maintains device attributes that do not come from the pipeline: inventory entries, VLANs by address, scores
 * after expired suppressions and classification by behaviour. Runs on one core at a time.
 */
export class DeviceUpkeep {
  readonly #job: Job;
  /** An inventory that was read but is not stored yet. */
  #unstored: readonly TenantInventory[] | null;
  #vlansAt = -Infinity;

  constructor(private readonly config: DeviceUpkeepConfig, private readonly deps: DeviceUpkeepDeps) {
    this.#unstored = config.inventory;
    this.#job = new Job(LEASE, deps);
  }

  /** Stores the inventory before the first record arrives. */
  prepare(): Promise<void> {
    return this.#job.attempt("store the inventory", () => this.#storeInventory());
  }

  start(): void {
    this.#job.schedule(this.config.schedule ?? EACH_MINUTE, () => this.run());
    this.run();
  }

  /** Resolves after the current step. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** Replaces the inventory; the VLANs of the sites may have changed, too. */
  useInventory(inventory: readonly TenantInventory[]): Promise<void> {
    this.#unstored = inventory;
    this.#vlansAt = -Infinity;
    return this.run();
  }

  /**
   * Runs one round now, unless another core holds the lease. A failed step is logged and retried next round.
   */
  run(): Promise<void> {
    return this.#job.enqueue(async () => {
      await this.prepare();
      await this.#job.underLease("maintain devices", () => this.#maintain());
    });
  }

  async #maintain(): Promise<void> {
    const { db, clock } = this.deps;
    const now = clock.now();
    const vlansDue = Math.abs(now - this.#vlansAt) >= VLAN_INTERVAL;
    for (const [tenantId, { site }] of this.config.tenants) {
      const attempt = (what: string, work: () => Promise<unknown>) =>
        this.#job.attempt(what, work, { tenant: tenantId });
      await attempt("apply the inventory", () => applyInventory(db, tenantId));
      await attempt(
        "lift expired suppressions",
        () => db.tenant(tenantId, (tx) => liftExpired(tx, tenantId, now)),
      );
      if (vlansDue) await attempt("assign VLANs by address", () => assignVlansByAddress(db, tenantId, site));
      await attempt(
        "classify devices",
        () => classifyDue(db, tenantId, now, CLASSIFIED_PER_ROUND, this.#job.signal),
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
      logger.info("inventory changed", { tenant: tenantId, entries: devices.length, ...change });
    }
    if (this.#unstored === inventory) this.#unstored = null;
  }
}

/** Assigns VLANs by the site's networks to the addresses of devices without observed tags. */
export async function assignVlansByAddress(
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
