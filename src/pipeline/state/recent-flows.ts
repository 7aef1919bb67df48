import type { FlowState } from "../../domain/flow/flow.ts";
import { NATIVE_SPAN } from "../../domain/flow/join.ts";

/**
 * Flows of all tenants in memory, about 80 MB. With half of that, the flows of hosts that repeat name and address
 * lookups every quarter of an hour were read again each time, a third of the database's work.
 */
export const MAX_RECENT_FLOWS = 65_536;
/** Newest flows kept of one tuple; tuples with fixed ports, or of pings, repeat without end. */
export const MAX_OF_TUPLE = 32;
/** Beyond this number, only flows that a current record may still join are kept. */
const MANY_OF_TUPLE = MAX_OF_TUPLE / 4;
/** How long before the newest flow of its tuple a flow may have ended to be kept; some records arrive late. */
const KEPT_SPAN = NATIVE_SPAN * 1.25;

/** The known flows of one tuple. One object per tuple, looked up once per record. */
export interface TupleFlows {
  /** Null if there are none yet. */
  flows: FlowState[] | null;
  /**
   * The first `shared` of them belong to earlier rounds and must stay unchanged in case this round fails: a flow is
   * copied before it is changed.
   */
  shared: number;
  /** Every flow of the tuple that ended later than this is in `flows`; Infinity if the store has to be asked. */
  othersEnd: number;
}

export type FlowsByTuple = Map<string, TupleFlows>;

/** The flows of a round after its correlation. */
export interface RoundFlows {
  /** Joinable and created flows by the tuples of the records, as the round leaves them. */
  byTuple: FlowsByTuple;
  created: readonly FlowState[];
  updated: readonly FlowState[];
}

interface KnownFlows {
  flows: readonly FlowState[];
  othersEnd: number;
  /** Last batch of the last round that had records of this tuple. */
  usedAt: number;
}

/**
 * A tenant's recent flows as its last rounds left them, including a round that is not committed yet. Only the pipeline
 * that advances the cursor writes flows, so they stay valid while round follows round.
 */
export class RecentFlows {
  /**
   * Tuples with one flow, and tuples with several. Most tuples have one flow and never return; tuples with several
   * flows keep returning.
   */
  readonly #once = new LruTuples();
  readonly #often = new LruTuples();
  /** If the last round was not recorded here, its created and changed flows: they cannot be read from the store yet. */
  #left = new Map<string, FlowState[]>();
  /** The batch that this reflects; null during a round. */
  #at: number | null = null;

  /** @param maxFlows Beyond this the least recently used tuples are evicted, except those of the last round. */
  constructor(private readonly maxFlows = MAX_RECENT_FLOWS) {}

  /** Number of flows held. */
  get count(): number {
    let left = 0;
    for (const flows of this.#left.values()) left += flows.length;
    return this.#once.count + this.#often.count + left;
  }

  /**
   * Begins a round that follows batch `at`. If the round before was not recorded here or failed, only the changes of
   * `previous`, which may not be committed, are known.
   */
  begin(at: number, previous: RoundFlows | null): void {
    if (this.#at !== at) {
      this.clear();
      if (previous !== null) this.#left = changedFlows(previous);
    }
    this.#at = null;
  }

  /** The known flows of a tuple; null if there are none. */
  of(tuple: string): TupleFlows | null {
    const known = this.#once.of(tuple) ?? this.#often.of(tuple);
    const flows = known?.flows ?? this.#left.get(tuple);
    if (flows === undefined) return null;
    return { flows: [...flows], shared: flows.length, othersEnd: known?.othersEnd ?? Infinity };
  }

  /** End of the flow that ended last; -Infinity if there are no flows. */
  latestEnd(): number {
    let latest = -Infinity;
    for (const flows of [...this.#once.flows(), ...this.#often.flows(), ...this.#left.values()]) {
      latest = Math.max(latest, latestEndOf(flows));
    }
    return latest;
  }

  /** Ends the round, whose last batch is `at`. */
  end(at: number, round: RoundFlows): void {
    let changed: ReadonlySet<FlowState> | null = null;
    for (const [tuple, { flows, othersEnd }] of round.byTuple) {
      this.#once.remove(tuple);
      this.#often.remove(tuple);
      if (flows === null) continue;
      const known = flows.length > MANY_OF_TUPLE
        ? newest(flows, othersEnd, changed ??= changedOf(round))
        : { flows, othersEnd };
      (known.flows.length === 1 ? this.#once : this.#often).add(tuple, { ...known, usedAt: at });
    }
    this.#left = new Map();
    this.#shrink(at);
    this.#at = at;
  }

  /** Drops everything, for example after a round that was not committed. */
  clear(): void {
    this.#once.clear();
    this.#often.clear();
    this.#left.clear();
    this.#at = null;
  }

  #shrink(at: number): void {
    const [half, all] = [this.maxFlows / 2, this.maxFlows];
    // Each kind may use half of the room and what the other one leaves.
    this.#once.shrink(at, Math.max(half, all - this.#often.count));
    this.#often.shrink(at, all - this.#once.count);
    this.#once.shrink(at, all - this.#often.count);
  }
}

/** Tuples in the order of their use, with a count of their flows. */
class LruTuples {
  /** Least recently used first. */
  readonly #known = new Map<string, KnownFlows>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  of(tuple: string): KnownFlows | undefined {
    return this.#known.get(tuple);
  }

  *flows(): Generator<readonly FlowState[]> {
    for (const { flows } of this.#known.values()) yield flows;
  }

  add(tuple: string, known: KnownFlows): void {
    this.#known.set(tuple, known);
    this.#count += known.flows.length;
  }

  remove(tuple: string): void {
    const known = this.#known.get(tuple);
    if (known === undefined) return;
    this.#known.delete(tuple);
    this.#count -= known.flows.length;
  }

  /** Evicts the least recently used tuples until there are `most` flows, but none that was used at `at`. */
  shrink(at: number, most: number): void {
    for (const [tuple, { usedAt }] of this.#known) {
      if (this.#count <= most || usedAt === at) return;
      this.remove(tuple);
    }
  }

  clear(): void {
    this.#known.clear();
    this.#count = 0;
  }
}

/** The newest flows of one tuple, and those that the round has changed, which cannot be read from the store yet. */
function newest(
  flows: readonly FlowState[],
  othersEnd: number,
  changed: ReadonlySet<FlowState>,
): Pick<TupleFlows, "othersEnd"> & { flows: FlowState[] } {
  const byEnd = [...flows].sort((a, b) => b.end - a.end);
  const since = byEnd[0]!.end - KEPT_SPAN;
  let leftEnd = othersEnd;
  const kept = byEnd.filter((flow, at) => {
    if (at < MAX_OF_TUPLE && flow.end >= since || changed.has(flow)) return true;
    leftEnd = Math.max(leftEnd, flow.end);
    return false;
  });
  return { flows: kept, othersEnd: leftEnd };
}

function changedOf({ created, updated }: RoundFlows): ReadonlySet<FlowState> {
  return new Set([...created, ...updated]);
}

/** Flows that the round has created or changed, by tuple. */
function changedFlows(round: RoundFlows): Map<string, FlowState[]> {
  const changed = changedOf(round);
  const left = new Map<string, FlowState[]>();
  for (const [tuple, { flows }] of round.byTuple) {
    const ofTuple = flows?.filter((flow) => changed.has(flow)) ?? [];
    if (ofTuple.length > 0) left.set(tuple, ofTuple);
  }
  return left;
}

function latestEndOf(flows: readonly FlowState[]): number {
  return flows.reduce((latest, { end }) => Math.max(latest, end), -Infinity);
}
