import { messageOf } from "../../kit/errors.ts";
import type { IntelSet } from "../../domain/intel/intel-set.ts";
import type { Clock } from "../../kit/clock.ts";
import { SelfWire } from "../../kit/threads/self-wire.ts";
import { Slots } from "../../kit/threads/slots.ts";
import { SpillFile } from "../../kit/threads/spill-file.ts";
import type { Logger } from "../../observe/log.ts";
import { traced } from "../../observe/tracing.ts";
import { type Database, StoreUnavailable } from "../../store/engine/database.ts";
import { leaseHolder } from "../../store/engine/leases.ts";
import type { PackedUnderstood } from "../../store/record/packed-records.ts";
import { CursorMoved } from "../../store/record/pending.ts";
import { HeldLease } from "../../store/engine/held-lease.ts";
import { Courtesy } from "./courtesy.ts";
import { type HandedBatches, HandOver, MAX_SPILLED_BYTES } from "./handoff.ts";
import { Intake, type Understand } from "./intake.ts";
import { takeIntel } from "../stages/intel.ts";
import { StateCache } from "../state/state-cache.ts";
import { MemoryBudget } from "../state/memory-budget.ts";
import { MAX_RECENT_FLOWS, RecentFlows } from "../state/recent-flows.ts";
import { MAX_SEEN_BYTES, SeenTuples } from "../state/seen-tuples.ts";
import { applyRound, type PreparedRound, prepareRound, type TenantNetworks } from "./round.ts";
import type { Look } from "./turns.ts";

interface PipelineConfig {
  tenants: ReadonlyMap<string, TenantNetworks>;
}

interface PipelineDeps {
  db: Database;
  /** The same database, for the effects of rounds; `db` where nothing is given. */
  writer?: Database;
  clock: Clock;
  logger: Logger;
  /** True while senders wait for the ingest; the pipeline then lets them go first for a while. */
  ingestBusy?: () => boolean;
  /** Where a backlog may wait on disk, understood; nowhere where nothing is given. */
  spillDirectory?: string;
  /** Where batches are understood; in this thread where nothing is given. */
  understand?: Understand;
  /** False while nothing should be written, as on a full disk; the pipeline then waits. */
  mayWrite?: () => boolean;
  /** The threat intelligence lists as they are now; null before they are read, and until then the pipeline waits. */
  intel?: () => IntelSet | null;
  /** A round of the tenant was committed, perhaps with events. */
  onApplied?: (tenantId: string) => void;
}

/**
 * How long the tenants of a core that was killed wait for another. Short, since the cursor and not the lease keeps
 * two cores from doing the same work twice.
 */
const LEASE_SECONDS = 5;
const YIELD_STEP_MILLISECONDS = 25;
/** A commit wakes the pipeline at once; this finds what another core's ingest committed. */
const IDLE_MILLISECONDS = 1000;
const FAILURE_MILLISECONDS = 2000;
/**
 * Rounds of different tenants that are written at once: the writer has a connection for each, and whoever waits for one
 * longer than a connection may take to come would fail.
 */
export const WRITTEN_AT_ONCE = 4;
/** A few lists are read in no time, a million indicators in some seconds. */
const LISTS_MILLISECONDS = 50;

/** Runs every tenant's pipeline that this core can hold the lease of. */
export class Pipeline {
  readonly #loops: TenantLoop[];
  readonly #spill: SpillFile | null;
  readonly #handOver: HandOver;
  readonly #wire = new SelfWire();

  constructor(config: PipelineConfig, deps: PipelineDeps) {
    const { spillDirectory } = deps;
    this.#spill = spillDirectory === undefined ? null : new SpillFile(spillDirectory, MAX_SPILLED_BYTES);
    this.#handOver = new HandOver(undefined, this.#spill);
    const holder = leaseHolder(deps.db);
    const writing = new Slots(WRITTEN_AT_ONCE);
    const budget = new MemoryBudget<StateCache>(config.tenants.size);
    this.#loops = [...config.tenants].map(([tenantId, networks]) =>
      new TenantLoop(
        tenantId,
        networks,
        budget.add((room) => new StateCache(room)),
        new RecentFlows(MAX_RECENT_FLOWS / config.tenants.size),
        new SeenTuples(MAX_SEEN_BYTES / config.tenants.size),
        this.#handOver.of(tenantId),
        holder,
        writing,
        () => this.#wire.pass(),
        deps,
      )
    );
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  /** Whether the tenant's next batch had better be handed over as it was understood, too. */
  wants(tenantId: string): boolean {
    return this.#handOver.of(tenantId).wanted;
  }

  /** New records of this tenant were committed; `batch` where they need not be read from the store. */
  wake(tenantId: string, batch: PackedUnderstood | null = null): void {
    if (batch !== null) this.#handOver.of(tenantId).put(batch);
    this.#loops.find((loop) => loop.tenantId === tenantId)?.wake();
  }

  /** Ends after the rounds under way have committed. */
  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await this.#wire.close();
    this.#spill?.close();
  }
}

class TenantLoop {
  #running: Promise<void> = Promise.resolve();
  #stopping = false;
  #pending = false;
  #wakeUp: () => void = () => {};
  #ahead: Promise<PreparedRound | null> | null = null;
  /** The lists that the tenant's cursor knows of. */
  #intel: IntelSet | null = null;
  readonly #courtesy = new Courtesy();
  readonly #intake: Intake;
  readonly #tenure: HeldLease;

  constructor(
    readonly tenantId: string,
    private readonly networks: TenantNetworks,
    private readonly memories: StateCache,
    private readonly recent: RecentFlows,
    private readonly seen: SeenTuples,
    private readonly handed: HandedBatches,
    holder: string,
    private readonly writing: Slots,
    private readonly look: Look,
    private readonly deps: PipelineDeps,
  ) {
    const { db, understand } = deps;
    // The embedded database is busy with one thing at a time.
    this.#intake = new Intake(db, tenantId, { understand, ahead: db.engine === "postgres", handed, look });
    this.#tenure = new HeldLease(db, `pipeline:${tenantId}`, holder, LEASE_SECONDS);
  }

  start(): void {
    this.#running = this.#loop();
  }

  wake(): void {
    this.#pending = true;
    this.#wakeUp();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wakeUp();
    await this.#running;
  }

  async #loop(): Promise<void> {
    this.#tenure.start();
    while (!this.#stopping) {
      this.#pending = false;
      const idle = await this.#step();
      if (idle > 0 && !this.#pending) await this.#rest(idle);
    }
    await this.#tenure.stop();
  }

  /** One round; returns the milliseconds to rest before the next one. */
  async #step(): Promise<number> {
    const { db, writer = db, clock, logger } = this.deps;
    try {
      if (this.deps.mayWrite?.() === false) {
        // What waits on a full disk only to be taken up sooner would keep it full.
        this.handed.clear();
        return IDLE_MILLISECONDS;
      }
      if (this.deps.intel?.() === null) return LISTS_MILLISECONDS;
      if (await this.#tenure.take() === null) {
        this.handed.clear();
        return IDLE_MILLISECONDS;
      }
      await this.#takeIntel();
      if (this.#shouldYield()) return YIELD_STEP_MILLISECONDS;
      const round = await this.#next();
      if (!round) return IDLE_MILLISECONDS;
      await traced(
        "ndr.pipeline",
        "apply round",
        { "ndr.tenant": this.tenantId },
        () =>
          this.writing.run(() =>
            applyRound(
              writer,
              this.tenantId,
              this.networks,
              round,
              clock.now(),
              () => this.#readAhead(round),
              this.look,
            )
          ),
      );
      this.memories.committed(round.next.batchNo);
      this.deps.onApplied?.(this.tenantId);
      return 0;
    } catch (error) {
      await this.#forgetAhead();
      if (error instanceof CursorMoved) {
        this.#tenure.invalidate();
        this.#intel = null;
        return 0;
      }
      const message = error instanceof StoreUnavailable ? messageOf(error.cause) : messageOf(error);
      logger.error("the pipeline could not take up a batch and will try again", {
        tenant: this.tenantId,
        message,
      });
      return FAILURE_MILLISECONDS;
    }
  }

  /** The next round; null when there is nothing to do. */
  async #next(): Promise<PreparedRound | null> {
    // Nothing was ahead at the time; what was committed since has woken this loop while it was not asleep.
    const round = (await this.#ahead) ?? (await this.#prepare(null));
    this.#ahead = null;
    if (round === null || round.intel === this.#intel) return round;
    // It was matched against lists that have changed meanwhile.
    this.#forget();
    return await this.#prepare(null);
  }

  /** What was prepared, or is being, follows a round that never came to be; so does what is remembered of it. */
  async #forgetAhead(): Promise<void> {
    await this.#ahead?.catch(() => {});
    this.#ahead = null;
    this.#forget();
  }

  #forget(): void {
    this.memories.clear();
    this.recent.clear();
  }

  async #takeIntel(): Promise<void> {
    const now = this.deps.intel?.() ?? null;
    if (now === null || now === this.#intel) return;
    await takeIntel(this.deps.db, this.tenantId, now);
    this.#intel = now;
  }

  /** Prepares the next batches while the database is busy with these. The embedded database is busy with one. */
  #readAhead(round: PreparedRound): void {
    // A transaction that is run again asks again.
    if (this.deps.db.engine !== "postgres" || this.#ahead) return;
    const ahead = this.#prepare(round);
    // A failure shows when the result is used; if this round fails, it never is.
    ahead.catch(() => {});
    this.#ahead = ahead;
  }

  async #prepare(previous: PreparedRound | null): Promise<PreparedRound | null> {
    const { db, logger } = this.deps;
    const round = await prepareRound(db, this.tenantId, this.networks, previous, {
      intake: this.#intake,
      memories: this.memories,
      recent: this.recent,
      seen: this.seen,
      intel: this.#intel,
      look: this.look,
    });
    for (const fault of this.memories.faults.take()) {
      logger.error("a detector failed at some records and goes on with the next", {
        tenant: this.tenantId,
        ...fault,
      });
    }
    return round;
  }

  #shouldYield(): boolean {
    const { ingestBusy, clock } = this.deps;
    return ingestBusy?.() === true && this.#courtesy.take(YIELD_STEP_MILLISECONDS, clock.now());
  }

  #rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
