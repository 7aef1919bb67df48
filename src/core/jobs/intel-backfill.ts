import { isDeviceAddress } from "../../domain/device/presence.ts";
import type { IntelSet } from "../../domain/intel/intel-set.ts";
import type { Clock } from "../../kit/clock.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Cidr } from "../../kit/net/ip.ts";
import type { Logger } from "../../observe/log.ts";
import type { Database } from "../../store/engine/database.ts";
import { intelState, isMatched } from "../../store/intel/state.ts";
import { acquireLease, type Lease, leaseHolder, releaseLease } from "../../store/engine/leases.ts";
import { type AnnouncePast, lookBack, type PassProgress } from "./intel-backfill-pass.ts";

interface IntelPastConfig {
  /** Every tenant, with its own networks. */
  tenants: ReadonlyMap<string, { networks: readonly Cidr[] }>;
  /** Milliseconds from one look to the next. */
  every?: number;
}

interface IntelPastDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** The lists as they are now; null before they are read. */
  intel: () => IntelSet | null;
  /** False while nothing should be written, as on a full disk. */
  mayWrite?: () => boolean;
  /** Makes incidents of what is found. */
  announce?: AnnouncePast;
}

const EVERY_MILLISECONDS = 2000;
const LEASE_SECONDS = 60;
/** In microseconds: another core may have had other lists. */
const ASK_AGAIN_AFTER = 60_000_000;
const TELL_AFTER = 30_000_000;
/** Lists may change more often than all that is kept can be looked through: of the time, that takes a fifth at most. */
const REST_FACTOR = 4;

interface TenantState {
  /** All was matched against these when it was looked at last. */
  base: IntelSet | null;
  askAt: number;
}

/**
 * Matches what is kept already against indicators that a list has since, in the background. It begins once the pipeline
 * matches against the same lists; which records those are, the database knows, so that neither a restart nor another change
 * leaves any out.
 */
export class IntelPast {
  readonly #stop = new AbortController();
  readonly #holder: string;
  readonly #states = new Map<string, TenantState>();
  #round: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly config: IntelPastConfig, private readonly deps: IntelPastDeps) {
    this.#holder = leaseHolder(deps.db);
  }

  start(): void {
    const next = () => {
      if (this.#stop.signal.aborted) return;
      this.#timer = setTimeout(() => void this.run().then(next), this.config.every ?? EVERY_MILLISECONDS);
    };
    next();
  }

  /** Ends after the slice under way; what is left is done at the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#round;
  }

  /** One look at every tenant now. What fails is logged, keeps no other tenant back, and is tried again. */
  run(): Promise<void> {
    return this.#round = this.#round.then(async () => {
      for (const tenantId of this.config.tenants.keys()) await this.#attempt(tenantId);
    });
  }

  async #attempt(tenantId: string): Promise<void> {
    if (this.#stop.signal.aborted || this.deps.mayWrite?.() === false) return;
    const { clock, logger } = this.deps;
    const state = this.#states.get(tenantId) ?? { base: null, askAt: -Infinity };
    this.#states.set(tenantId, state);
    const set = this.deps.intel();
    if (set === null || (clock.now() < state.askAt)) return;
    try {
      await this.#match(tenantId, set, state);
    } catch (error) {
      logger.error("kept records could not be matched against the lists; it will be tried again", {
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
      state.askAt = clock.now() + ASK_AGAIN_AFTER;
      return;
    }
    // The pipeline has to know the lists first.
    if (known.digest !== set.digest) return;
    const isBase = state.base?.digest === known.pastDigest && known.pastBatch >= known.since;
    const start = clock.now();
    const progress = await this.#alone(tenantId, set, isBase ? state.base : null, known.since);
    if (progress === null) return;
    const end = clock.now();
    state.base = set;
    state.askAt = end + REST_FACTOR * (end - start);
    if (progress.flows + progress.observations > 0) {
      this.#tell("kept records were matched against the lists", tenantId, progress, end - start);
    }
  }

  /** Under the tenant's lease; null where another core has it, or it was lost. */
  async #alone(
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
    let tellAt = start + TELL_AFTER;
    const networks = this.config.tenants.get(tenantId)?.networks ?? [];
    const goOn = async (progress: PassProgress) => {
      const now = clock.now();
      if (now >= tellAt) {
        this.#tell("kept records are being matched against the lists", tenantId, progress, now - start);
        tellAt = now + TELL_AFTER;
      }
      if (now >= renewAt) {
        lease = await acquireLease(db, name, this.#holder, LEASE_SECONDS);
        renewAt = now + LEASE_SECONDS * 1_000_000 / 3;
      }
      return lease !== null && !this.#stop.signal.aborted;
    };
    try {
      const isInternal = (ip: string) => isDeviceAddress(ip, networks);
      return await lookBack({ db, tenantId, isInternal, set, base, batch, goOn, announce });
    } finally {
      if (lease !== null) await releaseLease(db, lease);
    }
  }

  #tell(what: string, tenant: string, progress: PassProgress, micros: number): void {
    this.deps.logger.info(what, { tenant, ...progress, seconds: Math.round(micros / 100_000) / 10 });
  }
}
