import type { Count } from "../record/observation.ts";
import { plus } from "./traffic.ts";

/** A column of exact sums: numbers as long as they are safe, bigints beyond. */
export class Counts {
  #values: Float64Array;
  /** Counts beyond what a number holds, by their row; NaN stands for them in the column. */
  readonly #huge: Map<number, bigint>;

  constructor(capacity: number);
  constructor(values: Float64Array, huge: Map<number, bigint>);
  constructor(of: number | Float64Array, huge = new Map<number, bigint>()) {
    this.#values = typeof of === "number" ? new Float64Array(of) : of;
    this.#huge = huge;
  }

  get(at: number): Count {
    const count = this.#values[at]!;
    return Number.isNaN(count) ? this.#huge.get(at)! : count;
  }

  /** The nearest number. */
  near(at: number): number {
    const count = this.#values[at]!;
    return Number.isNaN(count) ? Number(this.#huge.get(at)!) : count;
  }

  set(at: number, count: Count): void {
    if (typeof count === "number") this.#values[at] = count;
    else {
      this.#values[at] = NaN;
      this.#huge.set(at, count);
    }
  }

  add(at: number, count: Count): void {
    if (typeof count === "number") {
      const sum = this.#values[at]! + count;
      if (Number.isSafeInteger(sum)) {
        this.#values[at] = sum;
        return;
      }
    }
    this.set(at, plus(this.get(at), count));
  }

  /** Adds a count of another column; faster than `add`, because no number leaves the columns. */
  addFrom(at: number, from: Counts, row: number): void {
    const sum = this.#values[at]! + from.#values[row]!;
    if (Number.isSafeInteger(sum)) this.#values[at] = sum;
    else this.set(at, plus(this.get(at), from.get(row)));
  }

  resize(capacity: number): void {
    this.#values = resized(this.#values, capacity);
  }

  copy(): Counts {
    return new Counts(this.#values.slice(), new Map(this.#huge));
  }
}

/** A longer copy of a column. */
export function resized<T extends Float64Array | Int32Array | Uint8Array>(column: T, capacity: number): T {
  const more = new (column.constructor as new (length: number) => T)(capacity);
  more.set(column);
  return more;
}
