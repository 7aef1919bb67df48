/** Why items were not sent, how many, and where the first ones are. */
export interface Skip {
  reason: string;
  count: number;
  /** `conn.log:12`: file name and line (or object) number. */
  examples: string[];
  /** Set if these are damaged, not only of a kind that is not sent. */
  unreadable?: true;
}

/** Why an item is not sent. */
export interface Unsent {
  skip: string;
  unreadable?: true;
}

const MAX_EXAMPLES = 3;
/** Reasons contain event types and log names from the data: their number is bounded. */
const MAX_REASONS = 100;

export class SkipReport {
  readonly #skips = new Map<string, Skip>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add(unsent: Unsent, place: string): void {
    this.#total++;
    const isNew = !this.#skips.has(unsent.skip);
    this.#count(
      isNew && this.#skips.size >= MAX_REASONS ? { ...unsent, skip: "other reasons" } : unsent,
      place,
    );
  }

  /** Most frequent first. */
  list(): Skip[] {
    return [...this.#skips.values()].sort((a, b) => b.count - a.count);
  }

  #count({ skip: reason, unreadable }: Unsent, place: string): void {
    const skip: Skip = this.#skips.get(reason) ?? { reason, count: 0, examples: [] };
    skip.count++;
    if (unreadable) skip.unreadable = true;
    if (skip.examples.length < MAX_EXAMPLES) skip.examples.push(place);
    this.#skips.set(reason, skip);
  }
}
