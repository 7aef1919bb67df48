import type { Activity } from "../../domain/device/activity.ts";
import {
  addressSightings,
  factSightings,
  leaseSightings,
  updateAnchors,
} from "../../domain/device/identity/anchor-sightings.ts";
import { clueOf, traitsOf } from "../../domain/device/identity/anchors.ts";
import {
  type IdentityState,
  planIdentities,
  watchedDevices,
} from "../../domain/device/identity/identity-plan.ts";
import type { DeviceEvidence } from "../../domain/device/identity/same-device.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Logger } from "../../observe/log.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import {
  allAnchors,
  deleteAnchors,
  markShared,
  type StoredAnchor,
  writeAnchors,
} from "../../store/device/anchor.ts";
import { activeMerges, contradictedPairs } from "../../store/device/merge.ts";
import {
  activityOf,
  addressedDevices,
  addressSightingsOf,
  anchorFacts,
  inventorySightings,
  leaseSightingsOf,
} from "../../store/device/identity-evidence.ts";
import { listTenants } from "../../store/engine/tenants.ts";
import { type Applied, applyIdentityChanges } from "./identity-changes.ts";
import { Job } from "./job.ts";

interface IdentityConfig {
  /** `NDR_IDENTITY_JOB`. If false, active merges are undone. */
  enabled: boolean;
  /** Minutes of the hour, as in a cron expression. */
  schedule?: string;
}

interface IdentityDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
}

const LEASE = { name: "identity", seconds: 300 };
const EVERY_FIVE_MINUTES = "*/5";
/** Devices whose activity is read per round; larger tenants are covered over several rounds. */
const MAX_WATCHED = 1000;
/** Changes per transaction; the rest is planned again in the next round. */
const MAX_CHANGES = 200;

/** Merges devices that are the same machine. Runs on one core at a time. */
export class IdentityJob {
  readonly #job: Job;
  #round = 0;

  constructor(private readonly config: IdentityConfig, private readonly deps: IdentityDeps) {
    this.#job = new Job(LEASE, deps);
  }

  start(): void {
    this.#job.schedule(this.config.schedule ?? EVERY_FIVE_MINUTES, () => this.run());
    this.run();
  }

  /** Resolves after the current tenant. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /**
   * Runs one round now, unless another core holds the lease. A tenant's failure is logged and retried next
   * round.
   */
  run(): Promise<void> {
    return this.#job.enqueue(() => this.#job.underLease("identify devices", () => this.#identify()));
  }

  async #identify(): Promise<void> {
    const { db } = this.deps;
    this.#round++;
    for (const tenantId of await listTenants(db)) {
      await this.#job.attempt("identify devices", async () => {
        const now = this.deps.clock.now();
        const applied = this.config.enabled
          ? await identifyDevices(db, tenantId, now, this.#round)
          : await separateAll(db, tenantId, now);
        this.#log(tenantId, applied);
      }, { tenant: tenantId });
    }
  }

  #log(tenant: string, { merged, separated }: Applied): void {
    if (merged.length + separated.length === 0) return;
    this.deps.logger.info("devices merged or separated", {
      tenant,
      merged: merged.length,
      separated: separated.length,
    });
  }
}

/** Updates a tenant's identifying anchors, then merges and separates its devices. */
export async function identifyDevices(
  db: Database,
  tenantId: string,
  now: number,
  round = 0,
): Promise<Applied> {
  const { state, anchors } = await db.tenant(tenantId, async (tx) => {
    const anchors = await refreshAnchors(tx, tenantId, now);
    return { anchors, state: await readState(tx, tenantId, anchors) };
  });
  const activity = await readActivity(db, tenantId, state, round);
  const { undo, merge, shared } = planIdentities(state, activity);
  const marks = anchors.map((anchor) => ({ ...anchor, shared: shared.has(traitsOf(anchor).key ?? "") }))
    .filter((anchor, index) => anchor.shared !== anchors[index]!.shared);
  return await db.tenant(tenantId, async (tx) => {
    await markShared(tx, tenantId, marks);
    const most = Math.max(0, MAX_CHANGES - undo.length);
    return await applyIdentityChanges(tx, tenantId, { undo, merge: merge.slice(0, most) }, now);
  });
}

/** Undoes every active merge. */
export async function separateAll(db: Database, tenantId: string, now: number): Promise<Applied> {
  return await db.tenant(tenantId, async (tx) => {
    const undo = (await activeMerges(tx, tenantId)).map((row) => ({
      mergeId: row.merge_id,
      from: row.from_device_id,
      into: row.into_device_id,
      cause: "switched_off" as const,
      reason: "the identity job was switched off",
    }));
    return await applyIdentityChanges(tx, tenantId, { undo, merge: [] }, now);
  });
}

async function refreshAnchors(tx: Tx, tenantId: string, now: number): Promise<StoredAnchor[]> {
  const stored = await allAnchors(tx, tenantId);
  const { anchors, changed, forgotten } = updateAnchors(stored, [
    ...(await inventorySightings(tx, tenantId)),
    ...(await leaseSightingsOf(tx, tenantId)).flatMap(leaseSightings),
    ...(await anchorFacts(tx, tenantId)).flatMap(factSightings),
    ...(await addressSightingsOf(tx, tenantId)).flatMap(addressSightings),
  ]);
  await deleteAnchors(tx, tenantId, forgotten);
  await writeAnchors(tx, tenantId, changed, now);
  const wasShared = new Set(stored.filter(({ shared }) => shared).map(idOf));
  return anchors.map((anchor) => ({ ...anchor, shared: wasShared.has(idOf(anchor)) }));
}

function idOf({ deviceId, class: kind, value }: Pick<StoredAnchor, "deviceId" | "class" | "value">): string {
  return `${deviceId} ${kind} ${value}`;
}

async function readState(tx: Tx, tenantId: string, anchors: readonly StoredAnchor[]): Promise<IdentityState> {
  const anchorsOf = Map.groupBy(anchors, ({ deviceId }) => deviceId);
  const devices = new Map<string, DeviceEvidence>();
  for (const { deviceId, ip, ...one } of await addressedDevices(tx, tenantId)) {
    const known = devices.get(deviceId);
    devices.set(deviceId, {
      ...one,
      deviceId,
      addresses: [...known?.addresses ?? [], ip],
      firstSeen: Math.min(known?.firstSeen ?? Infinity, one.firstSeen),
      lastSeen: Math.max(known?.lastSeen ?? -Infinity, one.lastSeen),
      clues: known?.clues ?? (anchorsOf.get(deviceId) ?? []).map(clueOf),
    });
  }
  const merges = (await activeMerges(tx, tenantId)).map((row) => ({
    mergeId: row.merge_id,
    from: row.from_device_id,
    into: row.into_device_id,
    support: row.support,
  }));
  return { devices: [...devices.values()], merges, separated: await contradictedPairs(tx, tenantId) };
}

/** Reads one device per transaction, so that none takes long. */
async function readActivity(
  db: Database,
  tenantId: string,
  state: IdentityState,
  round: number,
): Promise<Map<string, Activity>> {
  const watched = watchedDevices(state);
  const from = watched.length === 0 ? 0 : round * MAX_WATCHED % watched.length;
  const selected = [...watched.slice(from), ...watched.slice(0, from)].slice(0, MAX_WATCHED);
  const activity = new Map<string, Activity>();
  for (const { deviceId, from, to } of selected) {
    activity.set(deviceId, await db.tenant(tenantId, (tx) => activityOf(tx, tenantId, deviceId, from, to)));
  }
  return activity;
}
