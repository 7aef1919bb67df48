/** Why items were not sent, how many, and where the first ones are. */
export interface Skip {
  reason: string;
  count: number;
  /** `conn.log:12`: file name and line (or object) number. */
  examples: string[];
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

  add(reason: string, place: string): void {
    this.#total++;
    const known = this.#skips.get(reason);
    if (known === undefined && this.#skips.size >= MAX_REASONS) return this.#count("other reasons", place);
    this.#count(reason, place);
  }

  /** Most frequent first. */
  list(): Skip[] {
    return [...this.#skips.values()].sort((a, b) => b.count - a.count);
  }

  #count(reason: string, place: string): void {
    const skip = this.#skips.get(reason) ?? { reason, count: 0, examples: [] };
    skip.count++;
    if (skip.examples.length < MAX_EXAMPLES) skip.examples.push(place);
    this.#skips.set(reason, skip);
  }
}
