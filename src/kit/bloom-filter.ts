/** Bits per key: a full filter reports about five in a thousand absent keys as present. */
const BITS_PER_KEY = 12;
const WORDS_PER_BLOCK = 8;
const BYTES_PER_BLOCK = 4 * WORDS_PER_BLOCK;
const TWO_32 = 2 ** 32;

/** Odd factors, one per word of a block, which derive eight bit positions from half of a hash. */
const FACTORS = new Int32Array([
  0x47b6137b,
  0x44974d91,
  0x8824ad5b,
  0xa2b7289d,
  0x705495c7,
  0x2df1424b,
  0x9efc4947,
  0x5c6bfb31,
]);

/**
 * A set of 64-bit hashes without false negatives: a split block Bloom filter as in Apache Parquet. All bits
 * of a key are in one block of 32 bytes, half a cache line.
 */
export class BloomFilter {
  readonly #words: Uint32Array;
  readonly #blocks: number;
  /** Distinct keys added, as far as the filter can tell. */
  #size = 0;

  /** @param bytes Size of the filter; at least one block. */
  constructor(bytes: number) {
    this.#blocks = Math.max(1, Math.floor(bytes / BYTES_PER_BLOCK));
    this.#words = new Uint32Array(this.#blocks * WORDS_PER_BLOCK);
  }

  get bytes(): number {
    return this.#words.byteLength;
  }

  /** True once it holds its design number of keys; beyond it false positives grow. */
  get full(): boolean {
    return this.#size * BITS_PER_KEY >= this.bytes * 8;
  }

  /** The two halves of the hash, 32 bits each, signed or unsigned. */
  add(high: number, low: number): void {
    const at = this.#blockOf(high);
    let isNew = false;
    for (let word = 0; word < WORDS_PER_BLOCK; word++) {
      const bit = bitOf(low, word);
      const before = this.#words[at + word]!;
      if ((before & bit) === 0) {
        this.#words[at + word] = before | bit;
        isNew = true;
      }
    }
    if (isNew) this.#size++;
  }

  /** False only if the key was never added. */
  has(high: number, low: number): boolean {
    const at = this.#blockOf(high);
    for (let word = 0; word < WORDS_PER_BLOCK; word++) {
      if ((this.#words[at + word]! & bitOf(low, word)) === 0) return false;
    }
    return true;
  }

  #blockOf(high: number): number {
    return Math.floor((high >>> 0) / TWO_32 * this.#blocks) * WORDS_PER_BLOCK;
  }
}

function bitOf(low: number, word: number): number {
  return 1 << (Math.imul(low, FACTORS[word]!) >>> 27);
}
