/** Bytes that the states kept of all tenants of a core may take, by their own estimate, and the least that one of many has. */
export const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const MIN_SHARE = 4 * 1024 * 1024;

/** Something of a tenant's that takes memory. */
interface Holder {
  readonly bytes: number;
}

/**
 * Divides memory among tenants: each has its share, and whatever the others leave of theirs. One that took more gives it back
 * at its next round, so for a while they may have up to twice the whole.
 */
export class MemoryBudget<T extends Holder> {
  readonly #holders: T[] = [];
  readonly #share: number;

  constructor(tenants: number, private readonly maxBytes = MAX_MEMORY_BYTES) {
    this.#share = Math.max(MIN_SHARE, Math.floor(maxBytes / Math.max(1, tenants)));
  }

  /** Adds a tenant. `make` is given the bytes that it may have, to be asked again and again. */
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
