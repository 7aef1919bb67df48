/**
 * A map that keeps the entries that were set last. An entry that is read often stays only if it is set again or read by
 * `renew`; plain reads cost no more than those of a `Map`.
 */
export class BoundedMap<K, V> {
  /** In the order in which they were set. */
  readonly #entries = new Map<K, V>();
  /** Stands behind the entries that were dropped: a new iterator passes the places that all of them left. */
  #oldest: Iterator<K> | null = null;
  /** Deletions until `#oldest` is replaced, because an iterator keeps the former tables of its map in memory. */
  #left = 0;

  /** @param most Entries that are kept. */
  constructor(private readonly most: number) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Reads an entry and makes it the last one to be dropped. */
  renew(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** Sets an entry as the newest one; beyond the bound the oldest one goes. */
  set(key: K, value: V): void {
    if (!this.delete(key) && this.#entries.size >= this.most) this.#dropOldest();
    this.#entries.set(key, value);
  }

  delete(key: K): boolean {
    const isDeleted = this.#entries.delete(key);
    if (isDeleted && --this.#left <= 0) this.#oldest = null;
    return isDeleted;
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = null;
  }

  #dropOldest(): void {
    if (this.#oldest === null) {
      this.#oldest = this.#entries.keys();
      this.#left = this.most;
    }
    const { value, done } = this.#oldest.next();
    if (!done) this.delete(value);
  }
}
