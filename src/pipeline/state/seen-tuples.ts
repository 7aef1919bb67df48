import { BloomFilter } from "../../kit/bloom-filter.ts";
import { hash64Halves } from "../../kit/hash64.ts";

/** Bytes for the filters of all tenants: about ten million tuples. */
export const MAX_SEEN_BYTES = 16 * 1024 * 1024;

/** Size of the first generation; each generation has twice the size of the one before. */
const FIRST_BYTES = 64 * 1024;
/** Maximum share of one generation, so that dropping the oldest loses little. */
const MAX_SHARE = 1 / 8;

/** Tuples that arrived one after another. */
interface Generation {
  filter: BloomFilter;
  /** End of the record that ended last. */
  until: number;
}

/**
 * Filter of the tuples that a tenant's rounds have processed: a tuple that is not in it has no stored flow, and the
 * database need not be asked. Most records begin a flow of their own.
 *
 * It covers only flows that ended later than everything stored when it began, and than every generation dropped since.
 */
export class SeenTuples {
  /** Last batch that it covers; null before `begin`. */
  #last: number | null = null;
  /** Flows that ended until then may be missing. */
  #unknownUntil = Infinity;
  #generations: Generation[] = [];
  readonly #halves = new Int32Array(2);

  /** @param maxBytes Size of all filters; beyond it the oldest generations are dropped. */
  constructor(private readonly maxBytes = MAX_SEEN_BYTES) {}

  get bytes(): number {
    return this.#generations.reduce((sum, { filter }) => sum + filter.bytes, 0);
  }

  /** Whether it covers all rounds up to batch `at`; if not, `begin` must be called again. */
  hasSeen(at: number): boolean {
    return this.#last !== null && at <= this.#last;
  }

  /** @param latestEnd End of the last flow of the batches up to `at`; -Infinity if there are no flows. */
  begin(at: number, latestEnd: number): void {
    this.#last = at;
    this.#unknownUntil = latestEnd;
    this.#generations = [];
  }

  /** A time by which every flow of this tuple had ended; Infinity if unknown. */
  noneAfter(tuple: string): number {
    hash64Halves(tuple, this.#halves);
    const high = this.#halves[0]!;
    const low = this.#halves[1]!;
    let latest = this.#unknownUntil;
    for (const { filter, until } of this.#generations) {
      if (until > latest && filter.has(high, low)) latest = until;
    }
    return latest;
  }

  /** Adds a record's tuple and the record's end. */
  add(tuple: string, end: number): void {
    hash64Halves(tuple, this.#halves);
    const newest = this.#newest();
    newest.filter.add(this.#halves[0]!, this.#halves[1]!);
    newest.until = Math.max(newest.until, end);
  }

  /** Call when all records up to batch `last` are added. */
  end(last: number): void {
    this.#last = Math.max(this.#last ?? last, last);
  }

  /** The generation that the next tuple goes to. */
  #newest(): Generation {
    const newest = this.#generations.at(-1);
    if (newest && !newest.filter.full) return newest;
    const wanted = newest ? 2 * newest.filter.bytes : FIRST_BYTES;
    const filter = new BloomFilter(Math.min(wanted, this.maxBytes * MAX_SHARE));
    const next = { filter, until: -Infinity };
    this.#generations.push(next);
    while (this.bytes > this.maxBytes) {
      this.#unknownUntil = Math.max(this.#unknownUntil, this.#generations.shift()!.until);
    }
    return next;
  }
}
