// Random numbers from a seed, so that a generated capture is the same on every machine.

export class Random {
  #state: [number, number, number, number];

  constructor(readonly seed: string) {
    this.#state = [hash(`${seed}|a`), hash(`${seed}|b`), hash(`${seed}|c`), 1];
    for (let i = 0; i < 12; i++) this.next();
  }

  /** A stream of its own: what one actor draws does not change what another one draws. */
  fork(label: string): Random {
    return new Random(`${this.seed}|${label}`);
  }

  /** From 0 up to, but not including, 1 (sfc32). */
  next(): number {
    let [a, b, c, d] = this.#state;
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum | 0;
    this.#state = [a, b, c, d];
    return (sum >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** An integer from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }

  normal(mean: number, deviation: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return mean + deviation * radius * Math.cos(2 * Math.PI * this.next());
  }

  /** Sizes and durations: half of them below the median; `sigma` 1 spreads by a factor of e. */
  logNormal(median: number, sigma: number): number {
    return median * Math.exp(this.normal(0, sigma));
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** Position in a list whose early entries are much more common (Zipf with exponent 1). */
  rank(length: number): number {
    return Math.min(length - 1, Math.floor(Math.exp(this.next() * Math.log(length + 1)) - 1));
  }

  text(length: number, letters = "abcdefghijklmnopqrstuvwxyz0123456789"): string {
    return Array.from({ length }, () => letters[Math.floor(this.next() * letters.length)]).join("");
  }
}

/** FNV-1a, 32 bits. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  // Spreads the last characters over all bits.
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Times from `from` on before `to`, `period` seconds apart, each off by up to `jitter` of the period. */
export function* every(
  random: Random,
  { from, to, period, jitter = 0 }: { from: number; to: number; period: number; jitter?: number },
): Generator<number> {
  for (let at = from; at < to; at += period) {
    const time = at + period * jitter * random.between(-1, 1);
    if (time >= from && time < to) yield time;
  }
}
