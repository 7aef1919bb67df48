import type { RegisteredSource, Source } from "../config/sources.ts";
import type { Clock } from "../kit/clock.ts";
import { TokenBucket } from "../kit/net/token-bucket.ts";
import { TokenTable } from "../kit/net/token-table.ts";

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
  #known: KnownSource[] = [];
  #table = new TokenTable<KnownSource>([]);

  constructor(sources: readonly RegisteredSource[], limit: RateLimit, clock: Clock) {
    this.#clock = clock;
    this.#limit = limit;
    this.replace(sources);
  }

  /** Replaces the registry. Sensors in both keep the state of their rate limit. */
  replace(sources: readonly RegisteredSource[]): void {
    const buckets = new Map(this.#known.map(({ source, bucket }) => [source.sensorId, bucket]));
    const bucket = () => new TokenBucket({ ...this.#limit, now: () => this.#clock.now() });
    this.#known = sources.map(({ source }) => ({ source, bucket: buckets.get(source.sensorId) ?? bucket() }));
    this.#table = new TokenTable(
      this.#known.map((holder, at) => ({ token: sources[at]!.token.reveal(), holder })),
    );
  }

  /** The source whose token an `Authorization: Bearer …` header carries. */
  find(authorization: string | undefined): Promise<KnownSource | null> {
    return this.#table.find(authorization);
  }
}
