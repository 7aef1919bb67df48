import { hash, timingSafeEqual } from "node:crypto";
import type { RegisteredSource, Source } from "../config/sources.ts";
import type { Clock } from "../kit/clock.ts";
import { TokenBucket } from "../kit/net/token-bucket.ts";

export interface RateLimit {
  /** Tokens per second that each source may sustain: records, or units of decompressed bytes. */
  ratePerSecond: number;
  /** Tokens that a source may use at once. */
  burst: number;
}

/** A source authenticated by its token. */
export interface KnownSource {
  source: Source;
  bucket: TokenBucket;
}

/** The registry's sources by token; it stores only digests of the tokens. */
export class SourceTable {
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  #entries: (KnownSource & { digest: Uint8Array })[] = [];

  constructor(sources: readonly RegisteredSource[], limit: RateLimit, clock: Clock) {
    this.#clock = clock;
    this.#limit = limit;
    this.replace(sources);
  }

  /** Replaces the registry. Sensors in both keep the state of their rate limit. */
  replace(sources: readonly RegisteredSource[]): void {
    const buckets = new Map(this.#entries.map((entry) => [entry.source.sensorId, entry.bucket]));
    this.#entries = sources.map(({ source, token }) => ({
      source,
      digest: sha256(token.reveal()),
      bucket: buckets.get(source.sensorId) ??
        new TokenBucket({ ...this.#limit, now: () => this.#clock.now() }),
    }));
  }

  /**
   * Returns the source whose token an `Authorization: Bearer …` header carries. Compares with every digest
   * without stopping early, so that timing reveals nothing about any token.
   */
  find(authorization: string | undefined): KnownSource | null {
    const match = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "");
    const digest = sha256(match?.[1] ?? "");
    let found: KnownSource | null = null;
    for (const entry of this.#entries) {
      const equal = timingSafeEqual(entry.digest, digest);
      found = equal ? entry : found;
    }
    return match === null ? null : found;
  }
}

function sha256(text: string): Uint8Array {
  return hash("sha256", text, "buffer");
}
