import { BloomFilter } from "../../kit/bloom-filter.ts";
import { hash64Halves } from "../../kit/hash64.ts";

/** Bytes that a core may spend on what its tenants' rounds have seen: ten million tuples. */
export const MAX_SEEN_BYTES = 16 * 1024 * 1024;

/** Of the first generation; each has twice the bytes of the one before it. */
const FIRST_BYTES = 64 * 1024;
/** No generation may take more than this part of the whole, so that the oldest can go without much being lost. */
const LARGEST_PART = 1 / 8;

/** Tuples that came one after another. */
interface Generation {
  filter: BloomFilter;
  /** When the last of their records ended. */
  until: number;
}

/**
 * The tuples of the records that a tenant's rounds have taken up: where a tuple is not among them no flow of it is stored, and
 * the database need not be asked. Most records begin a flow of their own.
 *
 * It knows only of flows that ended later than whatever was stored when it began, and than what had to be forgotten since.
 */
export class SeenTuples {
  /** It has seen every record after some batch up to this one; null before it has begun. */
  #last: number | null = null;
  /** When the last of the flows ended that it may not know of. */
  #unknownUntil = Infinity;
  #generations: Generation[] = [];
  readonly #halves = new Int32Array(2);

  /** @param maxBytes Of its filters. Beyond that the oldest go. */
  constructor(private readonly maxBytes = MAX_SEEN_BYTES) {}

  get bytes(): number {
    return this.#generations.reduce((sum, { filter }) => sum + filter.bytes, 0);
  }

  /** Whether it has seen all that the rounds up to batch `at` took up since it began; else it must begin anew. */
  hasSeen(at: number): boolean {
    return this.#last !== null && at <= this.#last;
  }

  /** Begins after batch `at`; by `latestEnd` all flows of the batches until then had ended, -Infinity where there are none. */
  begin(at: number, latestEnd: number): void {
    this.#last = at;
    this.#unknownUntil = latestEnd;
    this.#generations = [];
  }

  /** By then certainly every flow of this tuple had ended; Infinity where that cannot be told. */
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

  /** A record of this tuple was taken up, which ended then. */
  add(tuple: string, end: number): void {
    hash64Halves(tuple, this.#halves);
    const newest = this.#newest();
    newest.filter.add(this.#halves[0]!, this.#halves[1]!);
    newest.until = Math.max(newest.until, end);
  }

  /** All records up to batch `last` were added. */
  end(last: number): void {
    this.#last = Math.max(this.#last ?? last, last);
  }

  /** The generation that takes up the next tuple. */
  #newest(): Generation {
    const newest = this.#generations.at(-1);
    if (newest && !newest.filter.full) return newest;
    const wanted = newest ? 2 * newest.filter.bytes : FIRST_BYTES;
    const filter = new BloomFilter(Math.min(wanted, this.maxBytes * LARGEST_PART));
    const next = { filter, until: -Infinity };
    this.#generations.push(next);
    while (this.bytes > this.maxBytes) {
      this.#unknownUntil = Math.max(this.#unknownUntil, this.#generations.shift()!.until);
    }
    return next;
  }
}
