import type { FlowState } from "../../domain/flow/flow.ts";
import { NATIVE_SPAN } from "../../domain/flow/join.ts";

/**
 * Flows that a core may keep at hand for its tenants' rounds: some 80 MB. With half of them hosts that ask for names, addresses and
 * each other every quarter of an hour had their flows read again each time, a third of what the database did.
 */
export const MAX_RECENT_FLOWS = 65_536;
/** Of a tuple that comes again and again (fixed ports, a ping) no more are kept than its newest ones. */
export const MAX_OF_TUPLE = 32;
/** Of more than these only those are kept that a record of today's network may still join. */
const MANY_OF_TUPLE = MAX_OF_TUPLE / 4;
/** The newest of a tuple ended at most so much before those that are still joined; some records are told late. */
const KEPT_SPAN = NATIVE_SPAN * 1.25;

/** What is known of one tuple. Looked up once for a record: there is one of each. */
export interface TupleFlows {
  /** Null where there are none yet. */
  flows: FlowState[] | null;
  /**
   * So many of them, from the first one on, are as the rounds before have left them. They are still what those have left, should
   * this round fail: one that is to be changed is copied.
   */
  shared: number;
  /** Every flow of the tuple that ended later than this is among `flows`; Infinity where nothing is known of others. */
  othersEnd: number;
}

export type FlowsByTuple = Map<string, TupleFlows>;

/** What a round has made of flows. */
export interface RoundFlows {
  /** All flows with one of the records' tuples that could be joined, and those made, as the round leaves them. */
  byTuple: FlowsByTuple;
  created: readonly FlowState[];
  updated: readonly FlowState[];
}

interface KnownFlows {
  flows: readonly FlowState[];
  othersEnd: number;
  /** The batch with which the last round ended that had records of this tuple. */
  usedAt: number;
}

/**
 * The flows of a tenant as its last rounds have left them, the round that is still on its way into the database included.
 * Only whoever moves the cursor writes flows, so as long as one round follows another they need not be read again.
 */
export class RecentFlows {
  /**
   * Tuples with one flow, and those with several. Most have one, and hardly any of those come again once their connection is over;
   * the others come again and again.
   */
  readonly #once = new Shelf();
  readonly #often = new Shelf();
  /** Where the last round was not seen here, what it made or changed: it cannot be read from the database yet. */
  #left = new Map<string, FlowState[]>();
  /** The batch after which all this is true; null while a round is under way. */
  #at: number | null = null;

  /** @param maxFlows Beyond that the least recently used go, but none that the last round used. */
  constructor(private readonly maxFlows = MAX_RECENT_FLOWS) {}

  /** Flows that it holds. */
  get count(): number {
    let left = 0;
    for (const flows of this.#left.values()) left += flows.length;
    return this.#once.count + this.#often.count + left;
  }

  /**
   * Begins a round that follows batch `at`. Where it was not there for the round before, or that failed, it begins with what
   * `previous` has left, which may not be committed.
   */
  begin(at: number, previous: RoundFlows | null): void {
    if (this.#at !== at) {
      this.clear();
      if (previous !== null) this.#left = changedFlows(previous);
    }
    this.#at = null;
  }

  /** What is known of a tuple; null where that is nothing. */
  of(tuple: string): TupleFlows | null {
    const known = this.#once.of(tuple) ?? this.#often.of(tuple);
    const flows = known?.flows ?? this.#left.get(tuple);
    if (flows === undefined) return null;
    return { flows: [...flows], shared: flows.length, othersEnd: known?.othersEnd ?? Infinity };
  }

  /** When the last of all flows here ended; -Infinity of none. */
  latestEnd(): number {
    let latest = -Infinity;
    for (const flows of [...this.#once.flows(), ...this.#often.flows(), ...this.#left.values()]) {
      latest = Math.max(latest, latestEndOf(flows));
    }
    return latest;
  }

  /** Ends the round, whose newest batch is `at`. */
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

  /** Forgets everything: what was held may never come to be true. */
  clear(): void {
    this.#once.clear();
    this.#often.clear();
    this.#left.clear();
    this.#at = null;
  }

  #shrink(at: number): void {
    const [half, all] = [this.maxFlows / 2, this.maxFlows];
    // Of either kind half of the room, and what the other one leaves.
    this.#once.shrink(at, Math.max(half, all - this.#often.count));
    this.#often.shrink(at, all - this.#once.count);
    this.#once.shrink(at, all - this.#often.count);
  }
}

/** Tuples by when they were used, with a count of their flows. */
class Shelf {
  /** The least recently used first. */
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

  /** Leaves out the least recently used until there are `most` flows, but none that were used at `at`. */
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

/** Of the flows of one tuple the newest ones, and those that the round has changed: they cannot be read yet. */
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

/** Of each tuple the flows that the round has made or changed. */
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
