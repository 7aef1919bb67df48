import { TokenBucket } from "./token-bucket.ts";
import { BoundedMap } from "../bounded-map.ts";

export interface Rate {
  /** Sustained requests per second. */
  perSecond: number;
  /** Requests at once, on top. */
  burst: number;
}

/**
 * A token bucket per key, such as an address. At most `maxKeys` are kept; the key that was not seen for
 * longest is evicted, and starts with a full bucket if it returns.
 */
export class RateLimiter {
  readonly #buckets: BoundedMap<string, TokenBucket>;

  constructor(
    private readonly rate: Rate,
    private readonly now: () => number,
    maxKeys = 10_000,
  ) {
    this.#buckets = new BoundedMap(maxKeys);
  }

  /** Takes a token and returns 0, or the seconds until one is available. */
  take(key: string): number {
    const { perSecond: ratePerSecond, burst } = this.rate;
    const bucket = this.#buckets.get(key) ?? new TokenBucket({ ratePerSecond, burst, now: this.now });
    this.#buckets.set(key, bucket);
    return bucket.take(1);
  }

  /** Keys that are kept. */
  get size(): number {
    return this.#buckets.size;
  }
}
