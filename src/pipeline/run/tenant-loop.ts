import type { IntelSet } from "../../domain/intel/intel-set.ts";
import type { Clock } from "../../kit/clock.ts";
import { messageOf } from "../../kit/errors.ts";
import { Wake } from "../../kit/threads/wake.ts";
import type { Slots } from "../../kit/threads/slots.ts";
import type { Logger } from "../../observe/log.ts";
import { traced } from "../../observe/tracing.ts";
import { type Database, StoreUnavailable } from "../../store/engine/database.ts";
import { HeldLease } from "../../store/engine/held-lease.ts";
import { CursorMoved } from "../../store/record/pending.ts";
import { takeIntel } from "../stages/intel.ts";
import type { Round, TenantCaches, TenantSettings } from "../stages/stage.ts";
import type { OnWantedChange, TenantHandoff } from "./handoff.ts";
import { Intake, type Parse } from "./intake.ts";
import { PauseBudget } from "./pause-budget.ts";
import { applyRound, prepareRound } from "./round.ts";

export interface PipelineDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** True while senders wait for ingest; the pipeline then pauses, for a bounded time. */
  ingestBusy?: () => boolean;
  /** Parses stored batches; in this thread by default. */
  parse?: Parse;
  /** False while nothing should be written, as on a full disk; the pipeline then waits. */
  mayWrite?: () => boolean;
  /** The current threat intelligence lists; null until they are loaded, and until then the pipeline waits. */
  intel?: () => IntelSet | null;
  /** Called when `Pipeline.wants` changes for a tenant. */
  onWantedChange?: OnWantedChange;
  /** Called when a round of the tenant was committed; it may have added events. */
  onApplied?: (tenantId: string) => void;
}

interface LoopConfig {
  tenantId: string;
  settings: TenantSettings;
  caches: TenantCaches;
  handoff: TenantHandoff;
  /** Holder of the lease. */
  holder: string;
  /** Bounds the rounds that all tenants write at once. */
  writeSlots: Slots;
}

/**
 * Seconds that a killed core's tenants wait for another core. Short, because the cursor and not the lease keeps two
 * cores from doing the same work twice.
 */
const LEASE_SECONDS = 5;
/** Length of one pause in favour of ingest. */
const PAUSE_MILLISECONDS = 25;
/** A commit wakes the loop at once; this poll finds batches that another core's ingest committed. */
const IDLE_MILLISECONDS = 1000;
const FAILURE_MILLISECONDS = 2000;
/** Small lists load at once, a million indicators in some seconds. */
const INTEL_WAIT_MILLISECONDS = 50;

/** Runs the rounds of one tenant, one after another. */
export class TenantLoop {
  #running: Promise<void> = Promise.resolve();
  #stopping = false;
  readonly #wake = new Wake();
  #ahead: Promise<Round | null> | null = null;
  /** The lists that the tenant's cursor refers to. */
  #intel: IntelSet | null = null;
  readonly #pauses = new PauseBudget();
  readonly #intake: Intake;
  readonly #lease: HeldLease;
  #settings: TenantSettings;

  constructor(private readonly config: LoopConfig, private readonly deps: PipelineDeps) {
    const { tenantId, settings, handoff, holder } = config;
    this.#settings = settings;
    const { db, parse } = deps;
    // The embedded database does one thing at a time.
    this.#intake = new Intake(db, tenantId, { parse, ahead: db.engine === "postgres", handoff });
    this.#lease = new HeldLease(db, `pipeline:${tenantId}`, holder, LEASE_SECONDS);
  }

  start(): void {
    this.#running = this.#loop();
  }

  /** Replaces the settings, from the next round that is prepared. */
  use(settings: TenantSettings): void {
    this.#settings = settings;
  }

  /** Starts the next round now if the loop is idle. */
  wake(): void {
    this.#wake.now();
  }

  /** Resolves after the round under way. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake.now();
    await this.#running;
  }

  async #loop(): Promise<void> {
    this.#lease.start();
    while (!this.#stopping) {
      this.#wake.taken();
      await this.#wake.wait(await this.#step());
    }
    await this.#lease.stop();
  }

  /** Runs one round; returns the milliseconds to sleep before the next one. */
  async #step(): Promise<number> {
    try {
      const delay = await this.#delay();
      if (delay > 0) return delay;
      const round = await this.#next();
      if (!round) return IDLE_MILLISECONDS;
      await this.#apply(round);
      return 0;
    } catch (error) {
      await this.#discardAhead();
      if (error instanceof CursorMoved) {
        this.#lease.invalidate();
        this.#intel = null;
        return 0;
      }
      const message = error instanceof StoreUnavailable ? messageOf(error.cause) : messageOf(error);
      this.deps.logger.error("pipeline round failed, retrying", { tenant: this.config.tenantId, message });
      return FAILURE_MILLISECONDS;
    }
  }

  /** Milliseconds until a round may run; 0 if it may run now. */
  async #delay(): Promise<number> {
    const { mayWrite, intel } = this.deps;
    if (mayWrite?.() === false) return this.#standBy();
    if (intel?.() === null) return INTEL_WAIT_MILLISECONDS;
    if (await this.#lease.take() === null) return this.#standBy();
    await this.#takeIntel();
    return this.#shouldPause() ? PAUSE_MILLISECONDS : 0;
  }

  /** Frees the batches in memory: another core takes them up, or this one does after the disk has room again. */
  #standBy(): number {
    this.config.handoff.clear();
    return IDLE_MILLISECONDS;
  }

  async #takeIntel(): Promise<void> {
    const now = this.deps.intel?.() ?? null;
    if (now === null || now === this.#intel) return;
    await takeIntel(this.deps.db, this.config.tenantId, now);
    this.#intel = now;
  }

  /** The next round; null if there is nothing to do. */
  async #next(): Promise<Round | null> {
    // If nothing was ahead then, a commit since has called `wake`.
    const round = (await this.#ahead) ?? (await this.#prepare(null));
    this.#ahead = null;
    if (round === null || round.basis.intel === this.#intel) return round;
    // It was matched against lists that have changed since.
    this.#clearCaches();
    return await this.#prepare(null);
  }

  async #prepare(previous: Round | null): Promise<Round | null> {
    const { tenantId, caches } = this.config;
    const { db, logger } = this.deps;
    const options = {
      tenantId,
      settings: this.#settings,
      previous,
      intake: this.#intake,
      intel: this.#intel,
    };
    const round = await prepareRound(db, { ...options, ...caches });
    for (const fault of caches.states.faults.take()) {
      logger.error("detector failed on some records, continuing", { tenant: tenantId, ...fault });
    }
    return round;
  }

  async #apply(round: Round): Promise<void> {
    const { tenantId, writeSlots, caches } = this.config;
    const { db, clock, onApplied } = this.deps;
    await traced("ndr.pipeline", "apply round", { "ndr.tenant": tenantId }, () =>
      writeSlots.run(() => {
        const onStarted = () => this.#prepareAhead(round);
        return applyRound(db, round, { now: clock.now(), onStarted });
      }));
    caches.states.committed(round.basis.last);
    onApplied?.(tenantId);
  }

  /** Prepares the next round while the database writes this one. The embedded database does one thing at a time. */
  #prepareAhead(round: Round): void {
    // A retried transaction calls this again.
    if (this.deps.db.engine !== "postgres" || this.#ahead) return;
    const ahead = this.#prepare(round);
    // A failure is reported where the result is used; if this round fails, it never is.
    ahead.catch(() => {});
    this.#ahead = ahead;
  }

  /** After a failure: the prepared round and the caches follow a round that was not committed. */
  async #discardAhead(): Promise<void> {
    await this.#ahead?.catch(() => {});
    this.#ahead = null;
    this.#clearCaches();
  }

  #clearCaches(): void {
    this.config.caches.states.clear();
    this.config.caches.recent.clear();
    this.config.caches.addresses.clear();
    this.config.caches.texts.clear();
  }

  #shouldPause(): boolean {
    const { ingestBusy, clock } = this.deps;
    return ingestBusy?.() === true && this.#pauses.spend(PAUSE_MILLISECONDS, clock.now());
  }
}
