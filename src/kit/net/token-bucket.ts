interface TokenBucketOptions {
  /** Tokens refilled per second, above 0. */
  ratePerSecond: number;
  /** Most tokens the bucket holds, above 0; it starts full. */
  burst: number;
  /** Current time in microseconds since the epoch. */
  now: () => number;
}

/** A token bucket: a sustained rate with a burst on top. */
export class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  readonly #now: () => number;
  #tokens: number;
  #updatedAt: number;

  constructor(options: TokenBucketOptions) {
    if (!(options.ratePerSecond > 0) || !(options.burst > 0)) {
      throw new RangeError("a token bucket needs a rate and a burst above 0");
    }
    this.#rate = options.ratePerSecond;
    this.#burst = options.burst;
    this.#now = options.now;
    this.#tokens = options.burst;
    this.#updatedAt = options.now();
  }

  /**
   * Takes `n` tokens and returns 0, or takes none and returns the seconds until it may succeed. A request
   * larger than the burst is granted by a full bucket, which then owes the difference; otherwise it could
   * never be granted.
   */
  take(n: number): number {
    this.#refill();
    const missing = Math.min(n, this.#burst) - this.#tokens;
    // Refills are sums of fractions: a missing billionth is a rounding error.
    if (missing > 1e-9) return missing / this.#rate;
    this.#tokens -= n;
    return 0;
  }
  /** Takes `n` tokens for work that is done already; the bucket may then owe some. */
  charge(n: number): void {
    this.#refill();
    this.#tokens -= n;
  }

  #refill(): void {
    const now = this.#now();
    // A clock that steps back neither refills nor drains the bucket.
    const elapsed = Math.max(0, now - this.#updatedAt) / 1e6;
    this.#updatedAt = now;
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsed * this.#rate);
  }
}
