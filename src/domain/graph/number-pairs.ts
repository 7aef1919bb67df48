const FIRST_SLOTS = 2048;

/** Numbers pairs of non-negative integers in the order in which they were first seen; a Map takes four times the memory. */
export class NumberPairs {
  #size = 0;
  #firsts = new Int32Array(FIRST_SLOTS / 2);
  #seconds = new Int32Array(FIRST_SLOTS / 2);
  /** Open addressing: the number of a pair plus one; 0 is free. Twice as many as pairs at least, a power of two. */
  #slots = new Int32Array(FIRST_SLOTS);

  get size(): number {
    return this.#size;
  }

  first(number: number): number {
    return this.#firsts[number]!;
  }

  second(number: number): number {
    return this.#seconds[number]!;
  }

  of(first: number, second: number): number {
    const slot = this.#slotOf(first, second);
    const number = this.#slots[slot]! - 1;
    if (number >= 0) return number;
    if (this.#size === this.#firsts.length) {
      this.#grow();
      return this.of(first, second);
    }
    this.#firsts[this.#size] = first;
    this.#seconds[this.#size] = second;
    this.#slots[slot] = ++this.#size;
    return this.#size - 1;
  }

  /** The slot of the pair, or the free one that it would take. */
  #slotOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash(first, second) & mask;
    for (;; slot = slot + 1 & mask) {
      const number = this.#slots[slot]! - 1;
      if (number < 0 || this.#firsts[number] === first && this.#seconds[number] === second) return slot;
    }
  }

  #grow(): void {
    const [firsts, seconds] = [this.#firsts, this.#seconds];
    this.#firsts = new Int32Array(firsts.length * 2);
    this.#seconds = new Int32Array(seconds.length * 2);
    this.#firsts.set(firsts);
    this.#seconds.set(seconds);
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let number = 0; number < this.#size; number++) {
      this.#slots[this.#slotOf(firsts[number]!, seconds[number]!)] = number + 1;
    }
  }
}

/** The finaliser of MurmurHash3 over both numbers. */
function hash(first: number, second: number): number {
  let bits = Math.imul(first, 0x9e3779b1) ^ second;
  bits = Math.imul(bits ^ bits >>> 16, 0x85ebca6b);
  bits = Math.imul(bits ^ bits >>> 13, 0xc2b2ae35);
  return (bits ^ bits >>> 16) >>> 0;
}
