import { TokenBucket } from "./token-bucket.ts";

export interface Rate {
  /** Requests that may go on and on, each second. */
  perSecond: number;
  /** Requests at once, on top. */
  burst: number;
}

/**
 * A token bucket for each key, such as an address. At most `maxKeys` are remembered; the key that was not seen for
 * longest is forgotten first, and begins with a full bucket when it comes again.
 */
export class RateLimiter {
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(
    private readonly rate: Rate,
    private readonly now: () => number,
    private readonly maxKeys = 10_000,
  ) {}

  /** Takes a token and returns 0, or the seconds until there is one. */
  take(key: string): number {
    const { perSecond: ratePerSecond, burst } = this.rate;
    const bucket = this.#buckets.get(key) ?? new TokenBucket({ ratePerSecond, burst, now: this.now });
    // Put in anew, so that the order of the map is the order of last sight.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > this.maxKeys) this.#buckets.delete(this.#buckets.keys().next().value!);
    return bucket.take(1);
  }

  /** Keys that are remembered. */
  get size(): number {
    return this.#buckets.size;
  }
}
