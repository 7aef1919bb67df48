/** Bytes that the cached states of all tenants may take, by their own estimate, and the least that a tenant gets. */
export const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const MIN_SHARE = 4 * 1024 * 1024;

/** A tenant's user of memory. */
interface Holder {
  readonly bytes: number;
}

/**
 * Divides memory among tenants: each has its share, and what the others leave of theirs. A tenant that took more shrinks
 * at its next round, so for a while all together may use up to twice the bound.
 */
export class MemoryBudget<T extends Holder> {
  readonly #holders: T[] = [];
  readonly #share: number;

  constructor(tenants: number, private readonly maxBytes = MAX_MEMORY_BYTES) {
    this.#share = Math.max(MIN_SHARE, Math.floor(maxBytes / Math.max(1, tenants)));
  }

  /** Adds a tenant. `make` gets a function that returns the bytes the tenant may have at the time of the call. */
  add(make: (room: () => number) => T): T {
    const holder: T = make(() => this.#roomFor(holder));
    this.#holders.push(holder);
    return holder;
  }

  #roomFor(holder: T): number {
    const others = this.#holders.reduce((sum, other) => other === holder ? sum : sum + other.bytes, 0);
    return Math.max(this.#share, this.maxBytes - others);
  }
}
