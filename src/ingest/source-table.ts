import { hash, timingSafeEqual } from "node:crypto";
import type { RegisteredSource, Source } from "../config/sources.ts";
import type { Clock } from "../kit/clock.ts";
import { TokenBucket } from "../kit/net/token-bucket.ts";

export interface RateLimit {
  /** Records a second that each source may send on and on. */
  ratePerSecond: number;
  /** Records it may send at once. */
  burst: number;
}

/** A source that has shown its token. */
export interface KnownSource {
  source: Source;
  bucket: TokenBucket;
}

/** The sources of the registry, found by their token; it keeps the tokens' digests only. */
export class SourceTable {
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  #entries: (KnownSource & { digest: Uint8Array })[] = [];

  constructor(sources: readonly RegisteredSource[], limit: RateLimit, clock: Clock) {
    this.#clock = clock;
    this.#limit = limit;
    this.replace(sources);
  }

  /** Takes another registry. A sensor that stays keeps its rate limit's state. */
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
   * The source whose token an `Authorization: Bearer …` header carries. Compares with every source's digest and
   * never stops early, so the time taken tells nothing about any token.
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
