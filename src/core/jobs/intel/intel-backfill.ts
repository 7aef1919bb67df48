import { isDeviceAddress } from "../../../domain/device/presence.ts";
import type { IntelSet } from "../../../domain/intel/intel-set.ts";
import type { Clock } from "../../../kit/clock.ts";
import { messageOf } from "../../../kit/errors.ts";
import type { Cidr } from "../../../kit/net/ip.ts";
import type { Logger } from "../../../observe/log.ts";
import type { Database } from "../../../store/engine/database.ts";
import { TRAFFIC_KEPT } from "../../../store/graph/traffic.ts";
import { intelState, isMatched } from "../../../store/intel/state.ts";
import { acquireLease, type Lease, leaseHolder, releaseLease } from "../../../store/engine/leases.ts";
import { type AnnounceBackfill, type PassProgress, runBackfillPass } from "./intel-backfill-pass.ts";

interface IntelBackfillConfig {
  /** Every tenant with its internal networks. */
  tenants: ReadonlyMap<string, { networks: readonly Cidr[] }>;
  /** Polling interval, in milliseconds. */
  every?: number;
}

interface IntelBackfillDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** The current lists; null until they are loaded. */
  intel: () => IntelSet | null;
  /** False while nothing may be written, as on a full disk. */
  mayWrite?: () => boolean;
  /** Creates incidents from matches. */
  announce?: AnnounceBackfill;
}

const EVERY_MILLISECONDS = 2000;
const LEASE_SECONDS = 60;
/** Microseconds until a matched state is checked again; another core may have loaded other lists. */
const RECHECK_AFTER = 60_000_000;
/** Microseconds between progress messages. */
const PROGRESS_INTERVAL = 30_000_000;
/**
 * After a pass, pause this multiple of its duration: frequent list changes then cost at most a fifth of the
 * time.
 */
const REST_FACTOR = 4;

interface TenantState {
  /** The lists against which everything was matched last. */
  base: IntelSet | null;
  /** Nothing is checked for `micros` after `since`, in microseconds. */
  rest: { since: number; micros: number };
}

/**
 * Matches stored records against new indicators, in the background. It starts once the pipeline uses the same
 * lists. The database stores which batches are covered, so that neither a restart nor another list change
 * skips any.
 */
export class IntelBackfill {
  readonly #stop = new AbortController();
  readonly #holder: string;
  readonly #states = new Map<string, TenantState>();
  #round: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly config: IntelBackfillConfig, private readonly deps: IntelBackfillDeps) {
    this.#holder = leaseHolder(deps.db);
  }

  start(): void {
    const next = () => {
      if (this.#stop.signal.aborted) return;
      this.#timer = setTimeout(() => void this.run().then(next), this.config.every ?? EVERY_MILLISECONDS);
    };
    next();
  }

  /** Resolves after the current slice; the pass is repeated after the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#round;
  }

  /** Checks every tenant now. A tenant's failure is logged and retried. */
  run(): Promise<void> {
    return this.#round = this.#round.then(async () => {
      for (const tenantId of this.config.tenants.keys()) await this.#attempt(tenantId);
    });
  }

  async #attempt(tenantId: string): Promise<void> {
    if (this.#stop.signal.aborted || this.deps.mayWrite?.() === false) return;
    const { clock, logger } = this.deps;
    const state = this.#states.get(tenantId) ?? { base: null, rest: { since: -Infinity, micros: 0 } };
    this.#states.set(tenantId, state);
    const set = this.deps.intel();
    // A clock that was set back must not extend the rest.
    if (set === null || Math.abs(clock.now() - state.rest.since) < state.rest.micros) return;
    try {
      await this.#match(tenantId, set, state);
    } catch (error) {
      logger.error("cannot match stored records against the intelligence lists, will retry", {
        tenant: tenantId,
        message: messageOf(error),
      });
    }
  }

  async #match(tenantId: string, set: IntelSet, state: TenantState): Promise<void> {
    const { db, clock } = this.deps;
    const known = await db.tenant(tenantId, (tx) => intelState(tx, tenantId));
    if (isMatched(known, set.digest)) {
      state.base = set;
      state.rest = { since: clock.now(), micros: RECHECK_AFTER };
      return;
    }
    // Wait until the pipeline uses these lists.
    if (known.digest !== set.digest) return;
    const isBase = state.base?.digest === known.pastDigest && known.pastBatch >= known.since;
    const start = clock.now();
    const progress = await this.#runUnderLease(tenantId, set, isBase ? state.base : null, known.since);
    if (progress === null) return;
    const end = clock.now();
    state.base = set;
    state.rest = { since: end, micros: REST_FACTOR * Math.max(0, end - start) };
    if (progress.flows + progress.observations > 0) {
      this.#logProgress(
        "matched stored records against the intelligence lists",
        tenantId,
        progress,
        end - start,
      );
    }
  }

  /** Runs a pass under the tenant's lease; null if another core holds it or it was lost. */
  async #runUnderLease(
    tenantId: string,
    set: IntelSet,
    base: IntelSet | null,
    batch: number,
  ): Promise<PassProgress | null> {
    const { db, clock, announce } = this.deps;
    const name = `intel:${tenantId}`;
    let lease: Lease | null = await acquireLease(db, name, this.#holder, LEASE_SECONDS);
    if (lease === null) return null;
    const start = clock.now();
    let renewAt = start + LEASE_SECONDS * 1_000_000 / 3;
    let logAt = start + PROGRESS_INTERVAL;
    const networks = this.config.tenants.get(tenantId)?.networks ?? [];
    const shouldContinue = async (progress: PassProgress) => {
      const now = clock.now();
      if (now >= logAt) {
        this.#logProgress(
          "matching stored records against the intelligence lists",
          tenantId,
          progress,
          now - start,
        );
        logAt = now + PROGRESS_INTERVAL;
      }
      if (now >= renewAt) {
        lease = await acquireLease(db, name, this.#holder, LEASE_SECONDS);
        renewAt = now + LEASE_SECONDS * 1_000_000 / 3;
      }
      return lease !== null && !this.#stop.signal.aborted;
    };
    try {
      const isInternal = (ip: string) => isDeviceAddress(ip, networks);
      return await runBackfillPass({
        db,
        tenantId,
        isInternal,
        set,
        base,
        batch,
        shownSince: start - TRAFFIC_KEPT,
        shouldContinue,
        announce,
      });
    } finally {
      if (lease !== null) await releaseLease(db, lease);
    }
  }

  #logProgress(what: string, tenant: string, progress: PassProgress, micros: number): void {
    this.deps.logger.info(what, { tenant, ...progress, seconds: Math.round(micros / 100_000) / 10 });
  }
}
