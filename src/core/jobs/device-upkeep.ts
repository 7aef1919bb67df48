import type { TenantInventory } from "../../config/inventory.ts";
import type { Site } from "../../contract/site.ts";
import { vlanFinder } from "../../domain/device/vlan.ts";
import type { Clock } from "../../kit/clock.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Logger } from "../../observe/log.ts";
import type { Database } from "../../store/database.ts";
import { replaceGuesses, untaggedAddresses } from "../../store/device-vlans.ts";
import { acquireLease, releaseLease } from "../../store/leases.ts";
import { classifyDue } from "./classify.ts";
import { applyInventory, storeInventory } from "./inventory.ts";

export interface DeviceUpkeepConfig {
  /** Every tenant, with its site. */
  tenants: ReadonlyMap<string, { site: Pick<Site, "vlans"> }>;
  /** The inventory as it was read at the start. */
  inventory: readonly TenantInventory[];
  /** Cron expression, UTC. */
  schedule?: string;
}

export interface DeviceUpkeepDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
}

const LEASE = "devices";
const LEASE_SECONDS = 120;
/** Nobody else can have an embedded database open, so what an earlier process held is ours. */
const EMBEDDED_HOLDER = "embedded";
const EACH_MINUTE = "* * * * *";
/** Devices of a tenant judged in one round, so that a round ends within seconds. */
const JUDGED_PER_ROUND = 200;
/** In microseconds: VLANs by address change with the configuration, or where devices exchange addresses. */
const VLANS_AGAIN_AFTER = 3_600_000_000;

/**
 * Keeps up what is said of devices beside what the pipeline sees: the inventory, VLANs by address, and what their
 * behaviour makes of them; on one core at a time.
 */
export class DeviceUpkeep {
  readonly #stop = new AbortController();
  readonly #holder: string;
  /** What was read and is not stored yet. */
  #unstored: readonly TenantInventory[] | null;
  #vlansAt = -Infinity;
  #round: Promise<void> = Promise.resolve();

  constructor(private readonly config: DeviceUpkeepConfig, private readonly deps: DeviceUpkeepDeps) {
    this.#unstored = config.inventory;
    this.#holder = deps.db.engine === "pglite" ? EMBEDDED_HOLDER : crypto.randomUUID();
  }

  /** Stores the inventory, so that the first record already finds it. */
  async prepare(): Promise<void> {
    await this.#attempt("store the inventory", () => this.#storeInventory());
  }

  start(): void {
    Deno.cron(
      "devices",
      this.config.schedule ?? EACH_MINUTE,
      { signal: this.#stop.signal },
      () => this.run(),
    );
    this.run();
  }

  /** Ends after the step under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#round;
  }

  /** Takes another inventory, from now on. */
  useInventory(inventory: readonly TenantInventory[]): Promise<void> {
    this.#unstored = inventory;
    return this.run();
  }

  /** One round now, unless another core is at it. What fails is logged, keeps nothing else back, and is tried again. */
  run(): Promise<void> {
    return this.#round = this.#round.then(async () => {
      await this.#attempt("store the inventory", () => this.#storeInventory());
      await this.#attempt("take the lease", async () => {
        const lease = await acquireLease(this.deps.db, LEASE, this.#holder, LEASE_SECONDS);
        if (!lease) return;
        await this.#keepUp();
        await releaseLease(this.deps.db, lease);
      });
    });
  }

  async #keepUp(): Promise<void> {
    const { db, clock } = this.deps;
    const { signal } = this.#stop;
    const now = clock.now();
    const vlansDue = Math.abs(now - this.#vlansAt) >= VLANS_AGAIN_AFTER;
    for (const [tenantId, { site }] of this.config.tenants) {
      await this.#attempt("apply the inventory", () => applyInventory(db, tenantId));
      if (vlansDue) {
        await this.#attempt("find VLANs by address", () => guessVlans(db, tenantId, site));
      }
      await this.#attempt("classify devices", () => classifyDue(db, tenantId, now, JUDGED_PER_ROUND, signal));
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

  async #attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    if (this.#stop.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      this.deps.logger.error(`could not ${what} and will try again`, { message: messageOf(error) });
    }
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
