import type { ClockKnowledge } from "../../domain/health/known-time.ts";
import {
  advanceClock,
  type ClockReading,
  type Clocks,
  earliest,
  readClock,
} from "../../domain/health/clock-reading.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Logger } from "../../observe/log.ts";
import {
  databaseNow,
  newestReceipt,
  readClockState,
  saveClockState,
} from "../../store/engine/clock-state.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import type { Lease } from "../../store/engine/leases.ts";
import { listTenants } from "../../store/engine/tenants.ts";
import { Job } from "./job.ts";

interface ClockDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Milliseconds by a monotonic clock; default `performance.now`. */
  elapsed?: () => number;
  /** The database's clock, in microseconds; another one in tests whose core has a clock of its own. */
  databaseClock?: (tx: Tx) => Promise<number>;
}

const EACH_MINUTE = "*";
/** Three rounds: another core counts the running time soon after this one was killed. */
const LEASE = { name: "clock", seconds: 180 };
/** Two days: a day that could not be dropped at once can still be dropped with the next one. */
const MOST_ALLOWANCE = 2 * 86_400_000_000;

/**
 * Keeps a time that is known to have come, from running time and both clocks. One core counts the running
 * time; every core compares its own clock.
 */
export class ClockKeeper {
  readonly #job: Job;
  readonly #elapsed: () => number;
  readonly #databaseClock: (tx: Tx) => Promise<number>;
  /** The lease of the previous round, and the monotonic clock then. */
  #counted: { epoch: number; at: number } | null = null;
  #started = true;
  #reading: ClockReading | null = null;

  constructor(private readonly deps: ClockDeps) {
    this.#job = new Job(LEASE, deps);
    this.#elapsed = deps.elapsed ?? (() => performance.now());
    this.#databaseClock = deps.databaseClock ?? databaseNow;
  }

  /** The first round, before anything is received under this clock. */
  prepare(): Promise<void> {
    return this.#round();
  }

  start(): void {
    this.#job.schedule(EACH_MINUTE, () => this.#round());
  }

  /** Resolves after the current round. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** The newest reading; null before the first. */
  facts(): ClockReading | null {
    return this.#reading;
  }

  /** Reads both clocks now. Deletions call it, so that no leap of the clock goes unseen. */
  async read(): Promise<ClockReading> {
    let result!: ClockReading;
    let failure: unknown = null;
    await this.#job.enqueue(async () => {
      try {
        result = await this.#read();
      } catch (error) {
        failure = error;
      }
    });
    if (failure !== null) throw failure;
    return result;
  }

  #round(): Promise<void> {
    return this.#job.enqueue(() => this.#job.attempt("compare the clocks", () => this.#read()));
  }

  async #read(): Promise<ClockReading> {
    const { db } = this.deps;
    const lease = await this.#job.hold();
    const elapsed = this.#elapsed();
    const ran = lease !== null && lease.epoch === this.#counted?.epoch
      ? (elapsed - this.#counted.at) * 1000
      : 0;
    const receipt = await db.shared(readClockState) === null
      ? await newestReceipt(db, await listTenants(db))
      : null;
    const reading = await db.shared((tx) => this.#advance(tx, { lease, ran, receipt }));
    this.#counted = lease === null ? null : { epoch: lease.epoch, at: elapsed };
    this.#started = false;
    this.#report(reading);
    return this.#reading = reading;
  }

  async #advance(
    tx: Tx,
    { lease, ran, receipt }: { lease: Lease | null; ran: number; receipt: number | null },
  ): Promise<ClockReading> {
    const before = this.deps.clock.now();
    const database = await this.#databaseClock(tx);
    const clocks: Clocks = { before, database, after: this.deps.clock.now() };
    const known: ClockKnowledge = await readClockState(tx) ??
      { knownAt: receipt ?? earliest(clocks), leap: null };
    const advanced = advanceClock(known, clocks, { elapsed: ran, started: this.#started });
    if (lease !== null) await saveClockState(tx, advanced, { uptime: ran, mostAllowance: MOST_ALLOWANCE });
    return readClock(advanced, clocks);
  }

  #report({ doubt }: ClockReading): void {
    const before = this.#reading?.doubt ?? null;
    if (doubt !== null && before === null) {
      this.deps.logger.error("clock in doubt, retention stopped", { reason: doubt });
    } else if (doubt === null && before !== null) {
      this.deps.logger.info("clock no longer in doubt, retention resumed");
    }
  }
}
