// Counts distinct values in bounded space.
import type { ByteReader, ByteWriter } from "./bytes.ts";
import type { Field } from "./schema.ts";

/**
 * Counts distinct values by the smallest of their 32-bit hashes ("k minimum values"): exact below `size`,
 * then an estimate with a standard error of about 1/sqrt(size). The order of the values never matters.
 */
export class Distinct {
  /** Ascending, without duplicates. */
  #hashes: number[];

  constructor(readonly size: number, hashes: readonly number[] = []) {
    this.#hashes = [...hashes];
  }

  /** Returns whether the sketch changed. */
  add(value: string): boolean {
    return this.addHash(hash32(value));
  }

  addHash(hash: number): boolean {
    const hashes = this.#hashes;
    if (hashes.length === this.size && hash >= hashes[hashes.length - 1]!) return false;
    let low = 0;
    for (let high = hashes.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (hashes[middle]! < hash) low = middle + 1;
      else high = middle;
    }
    if (hashes[low] === hash) return false;
    if (low === hashes.length) hashes.push(hash);
    else hashes.splice(low, 0, hash);
    if (hashes.length > this.size) hashes.pop();
    return true;
  }

  /** Adds all values of a sketch of the same size. */
  addAll(other: Distinct): void {
    for (const hash of other.#hashes) this.addHash(hash);
  }

  /** Whether the value was counted; false negatives are possible once the count is an estimate. */
  has(value: string): boolean {
    return this.#hashes.includes(hash32(value));
  }

  /** Whether `count` is exact. */
  get exact(): boolean {
    return this.#hashes.length < this.size;
  }

  /** A non-negative integer. */
  get count(): number {
    const { length } = this.#hashes;
    if (length < this.size) return length;
    return Math.max(length, Math.round((length - 1) / ((this.#hashes[length - 1]! + 1) / 2 ** 32)));
  }

  /** Estimated bytes in memory. */
  get weight(): number {
    return 64 + 8 * this.#hashes.length;
  }

  write(out: ByteWriter): void {
    out.varint(this.#hashes.length);
    let previous = 0;
    for (const hash of this.#hashes) {
      out.varint(hash - previous);
      previous = hash;
    }
  }

  static read(from: ByteReader, size: number): Distinct {
    const hashes: number[] = [];
    const length = from.varint();
    for (let hash = 0; hashes.length < length;) hashes.push(hash += from.varint());
    return new Distinct(size, hashes);
  }
}

/** A sketch that keeps up to `size` hashes. */
export function distinct(size: number): Field<Distinct> {
  return {
    write: (out, value) => value.write(out),
    read: (from) => Distinct.read(from, size),
    size: (value) => value.weight,
    // Each difference of ascending 32-bit hashes takes at most five bytes.
    maxBytes: 2 + 5 * size,
  };
}

/** 32 well-mixed bits of a text (FNV-1a with a final mix). Not resistant to deliberate collisions. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
