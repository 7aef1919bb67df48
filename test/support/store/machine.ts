import { ClockKeeper } from "../../../src/core/jobs/clock-keeper.ts";
import { Upkeep } from "../../../src/core/jobs/upkeep.ts";
import type { Logger } from "../../../src/observe/log.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";

interface UpkeepOptions {
  retentionDays?: number;
  retentionBytes?: number | undefined;
  auditDays?: number;
  logger?: Logger;
}

/** A machine whose clocks move only when a test moves them. Times in microseconds. */
export class Machine {
  #ran = 0;
  #ahead = 0;
  /** The clock of a database on another machine; null if it is on this one. */
  databaseClock: (() => number) | null = null;
  readonly clock = { now: () => this.start + this.#ran + this.#ahead };

  constructor(private readonly start: number) {}

  /** Both clocks advance. */
  run(micros: number): void {
    this.#ran += micros;
  }

  /** The wall clock is set `micros` ahead of what it shows; negative: back. */
  set(micros: number): void {
    this.#ahead += micros;
  }

  /** A new process of the core. */
  keeper(db: Database, logger = silentLogger): ClockKeeper {
    return new ClockKeeper({
      db,
      clock: this.clock,
      logger,
      elapsed: () => this.#ran / 1000,
      databaseClock: () => Promise.resolve((this.databaseClock ?? this.clock.now)()),
    });
  }

  /** The real job, for the default retention of 30 days. */
  upkeep(
    db: Database,
    time = this.keeper(db),
    { retentionDays = 30, retentionBytes, logger = silentLogger, ...limits }: UpkeepOptions = {},
  ): Upkeep {
    return new Upkeep({ retentionDays, retentionBytes: retentionBytes ?? null, ...limits }, {
      db,
      clock: this.clock,
      logger,
      time,
    });
  }
}
