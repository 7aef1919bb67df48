import type { Site } from "../../contract/site.ts";
import type { Detector } from "../../domain/detect/kernel/detector.ts";
import type { IntelSet } from "../../domain/intel/intel-set.ts";
import type { Gates } from "../../domain/review/response/automatic.ts";
import type { Cidr } from "../../kit/net/ip.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import type { StoredSample } from "../../store/health/capture-samples.ts";
import type { Cursor } from "../../store/record/pending.ts";
import type { ParsedRecord } from "../run/parsed-record.ts";
import type { TimeSlice } from "../run/time-slice.ts";
import type { RecentFlows } from "../state/recent-flows.ts";
import type { SeenTuples } from "../state/seen-tuples.ts";
import type { StateCache } from "../state/state-cache.ts";
import type { WrittenKeys } from "../state/written-keys.ts";

/** Configuration of one tenant, as far as the pipeline uses it. */
export interface TenantSettings {
  networks: readonly Cidr[];
  /** True if no networks are configured and the private ranges are assumed to be internal. */
  networksAssumed: boolean;
  site: Pick<Site, "vlans">;
  /** Minimum score per kind of automatic response action; no kind is automatic by default. */
  automatic?: Gates;
}

/** What the rounds of one tenant keep in memory. */
export interface TenantCaches {
  states: StateCache;
  recent: RecentFlows;
  seen: SeenTuples;
  /** External addresses, and texts of the dictionary. */
  addresses: WrittenKeys;
  texts: WrittenKeys;
}

/**
 * One part of a round. Stages run in the order of `STAGES`: all of them prepare, then all of them write in the
 * transaction that advances the cursor.
 */
export interface Stage<P = unknown> {
  /**
   * Computes the stage's part of the round from the records and the earlier stages (`round.of`). It may read the
   * database but writes nothing: the round before may not be committed yet.
   */
  prepare?(round: Round, preparation: Preparation): P | Promise<P>;

  /**
   * Yields each write as soon as it has started. The caller does not wait for one before it asks for the next: the
   * connection keeps their order, and the database works on one while the next is put together.
   *
   * @param prepared What `prepare` returned.
   */
  write(writing: RoundWriting, prepared: P, round: Round): Iterable<Promise<unknown>>;
}

/** What stages prepare with. It does not outlive the preparation. */
export interface Preparation extends TenantCaches {
  db: Database;
  /** The round before, which may not be committed yet; null if `round.before` was read from the database. */
  previous: Round | null;
  detectors: readonly Detector[];
  /** For long computations. */
  slice: TimeSlice;
}

interface RoundBasis {
  tenantId: string;
  settings: TenantSettings;
  /** The cursor that the batches follow. */
  before: Cursor;
  /** Number of batches, and the number of the last one. */
  batches: number;
  last: number;
  records: readonly ParsedRecord[];
  samples: readonly StoredSample[];
  /** The threat intelligence lists that the round is matched against. */
  intel: IntelSet | null;
}

/** Consecutive batches of a tenant, and what the stages have prepared of them. */
export class Round {
  readonly #prepared = new Map<Stage, unknown>();

  constructor(readonly basis: RoundBasis) {}

  async prepare(stage: Stage, preparation: Preparation): Promise<void> {
    this.#prepared.set(stage, await stage.prepare?.(this, preparation));
  }

  /**
   * What an earlier stage has prepared.
   *
   * @throws Error if that stage comes later in the order.
   */
  of<P>(stage: Stage<P>): P {
    if (!this.#prepared.has(stage)) throw new Error("a stage uses one that comes later");
    return this.#prepared.get(stage) as P;
  }
}

/** The transaction in which a round takes effect. */
export class RoundWriting {
  readonly #started: { stage: Stage | null; write: Promise<unknown> }[] = [];

  /** @param now Microseconds since the epoch. */
  constructor(readonly tx: Tx, readonly now: number) {}

  /** Takes a write that has started; `stage` is null for the cursor. */
  start(stage: Stage | null, write: Promise<unknown>): void {
    // `finish` reports the failure.
    write.catch(() => {});
    this.#started.push({ stage, write });
  }

  /** Resolves when all writes of an earlier stage are done. */
  async done(stage: Stage): Promise<void> {
    await Promise.all(this.#started.filter((one) => one.stage === stage).map(({ write }) => write));
  }

  /** Fails with the first write, in their order, that fails: a later one may fail because of it. */
  async finish(): Promise<void> {
    for (const { write } of this.#started) await write;
  }
}
