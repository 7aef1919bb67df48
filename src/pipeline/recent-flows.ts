import type { FlowState } from "../domain/correlate/flow.ts";

/** Flows that a core may keep at hand for its tenants' rounds: some 40 MB. */
export const MAX_RECENT_FLOWS = 32_768;
/** Of a tuple that comes again and again (fixed ports, a ping) only the few that could be joined are worth reading. */
const MAX_OF_TUPLE = 32;

/** What is known of one tuple. Looked up once for a record: there is one of each. */
export interface TupleFlows {
  /** Null where there are none yet. */
  flows: FlowState[] | null;
  /**
   * So many of them, from the first one on, are as the rounds before have left them. They are still what those have left, should
   * this round fail: one that is to be changed is copied.
   */
  shared: number;
  /** Every flow of the tuple that ended later than this is among `flows`; Infinity where others may be stored. */
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
  /** The least recently used first. */
  readonly #known = new Map<string, KnownFlows>();
  /** Of tuples that are not known in full what the last round made or changed: it cannot be read from the database yet. */
  #left = new Map<string, FlowState[]>();
  /** Of those in `#known`. */
  #count = 0;
  /** The batch after which all this is true; null while a round is under way. */
  #at: number | null = null;

  /** @param maxFlows Beyond that the least recently used go, but none that the last round used. */
  constructor(private readonly maxFlows = MAX_RECENT_FLOWS) {}

  /** Flows that it holds. */
  get count(): number {
    let left = 0;
    for (const flows of this.#left.values()) left += flows.length;
    return this.#count + left;
  }

  /**
   * Begins a round that follows batch `at`. Where it was not there for the round before, or that failed, it begins with what
   * `previous` has left, which may not be committed.
   */
  begin(at: number, previous: RoundFlows | null): void {
    if (this.#at !== at) {
      this.clear();
      if (previous !== null) this.#left = changedFlows(previous, previous.byTuple.keys());
    }
    this.#at = null;
  }

  /** What is known of a tuple; null where that is nothing. */
  of(tuple: string): TupleFlows | null {
    const known = this.#known.get(tuple);
    const flows = known?.flows ?? this.#left.get(tuple);
    if (flows === undefined) return null;
    return { flows: [...flows], shared: flows.length, othersEnd: known?.othersEnd ?? Infinity };
  }

  /** When the last of all flows here ended; -Infinity of none. */
  latestEnd(): number {
    let latest = -Infinity;
    for (const { flows } of this.#known.values()) latest = Math.max(latest, latestEndOf(flows));
    for (const flows of this.#left.values()) latest = Math.max(latest, latestEndOf(flows));
    return latest;
  }

  /** Ends the round, whose newest batch is `at`. */
  end(at: number, round: RoundFlows): void {
    const others: string[] = [];
    for (const [tuple, { flows, othersEnd }] of round.byTuple) {
      this.#forget(tuple);
      if (flows === null) continue;
      if (othersEnd === Infinity || flows.length > MAX_OF_TUPLE) {
        others.push(tuple);
        continue;
      }
      this.#known.set(tuple, { flows, othersEnd, usedAt: at });
      this.#count += flows.length;
    }
    this.#left = changedFlows(round, others);
    this.#shrink(at);
    this.#at = at;
  }

  /** Forgets everything: what was held may never come to be true. */
  clear(): void {
    this.#known.clear();
    this.#left.clear();
    this.#count = 0;
    this.#at = null;
  }

  #forget(tuple: string): void {
    const known = this.#known.get(tuple);
    if (known === undefined) return;
    this.#known.delete(tuple);
    this.#count -= known.flows.length;
  }

  #shrink(at: number): void {
    for (const [tuple, { usedAt }] of this.#known) {
      if (this.#count <= this.maxFlows || usedAt === at) return;
      this.#forget(tuple);
    }
  }
}

/** Of these tuples the flows that the round has made or changed. */
function changedFlows(
  { byTuple, created, updated }: RoundFlows,
  tuples: Iterable<string>,
): Map<string, FlowState[]> {
  const changed = new Set([...created, ...updated]);
  const left = new Map<string, FlowState[]>();
  for (const tuple of tuples) {
    const flows = byTuple.get(tuple)?.flows?.filter((flow) => changed.has(flow)) ?? [];
    if (flows.length > 0) left.set(tuple, flows);
  }
  return left;
}

function latestEndOf(flows: readonly FlowState[]): number {
  return flows.reduce((latest, { end }) => Math.max(latest, end), -Infinity);
}
