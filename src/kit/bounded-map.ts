/** This part of a map that is full goes at once; of fewer entries one by one. */
const DROPPED_PART = 16;

/**
 * A map that keeps the entries that were set last. An entry that is read often stays only if it is set again or read by
 * `renew`; plain reads cost no more than those of a `Map`.
 */
export class BoundedMap<K, V> {
  /** In the order in which they were set. */
  readonly #entries = new Map<K, V>();
  /** Finding the oldest entry passes the places of those that went before, so that those of a large map go together. */
  readonly #dropped: number;

  /** @param most Entries that are kept at most. */
  constructor(private readonly most: number) {
    this.#dropped = Math.max(1, Math.floor(most / DROPPED_PART));
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Reads an entry and makes it the last one to be dropped. */
  renew(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  /** Sets an entry as the newest one; beyond the bound the oldest go. */
  set(key: K, value: V): void {
    if (!this.#entries.delete(key) && this.#entries.size >= this.most) this.#dropOldest();
    this.#entries.set(key, value);
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  #dropOldest(): void {
    let left = this.#dropped;
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      if (--left === 0) return;
    }
  }
}
