import { BoundedMap } from "../../kit/bounded-map.ts";

/** External addresses of all tenants in memory, about 8 MB. */
export const MAX_WRITTEN_ADDRESSES = 65_536;
/** Texts of the dictionary of all tenants in memory, about 10 MB. */
export const MAX_WRITTEN_TEXTS = 65_536;

/**
 * Keys that a tenant's rounds have written, with the day of their last record. Forgetting one only costs a needless
 * write, so the entry written longest ago goes first, however often it was used.
 */
export class WrittenKeys {
  readonly #days: BoundedMap<string, number>;

  constructor(most: number) {
    this.#days = new BoundedMap(most);
  }

  /** Adds a key; false if it is known with this day or a later one. `day` is a time of any unit. */
  add(key: string, day: number): boolean {
    const known = this.#days.get(key);
    if (known !== undefined && known >= day) return false;
    this.#days.set(key, day);
    return true;
  }

  /** Drops everything, for example after a round that was not committed. */
  clear(): void {
    this.#days.clear();
  }
}
