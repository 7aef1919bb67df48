import type { Clock } from "../kit/clock.ts";
import { RateLimiter } from "../kit/net/rate-limiter.ts";
import { TokenBucket } from "../kit/net/token-bucket.ts";
import type { Logger } from "../observe/log.ts";

/** Of one person: so many at once, and then six a minute. */
const OF_PERSON = { burst: 300, perSecond: 0.1 };
/** Of all whose sign-in gave access to nothing. */
const OF_STRANGERS = { burst: 200, ratePerSecond: 0.1 };
const WARN_EVERY = 60_000_000;

/**
 * How many refusals for lack of rights are written into the audit. Nothing comes of them, anybody can cause them, and a
 * row cannot be removed for ninety days: without an end, the least of accounts could fill the disk. What goes beyond is
 * in the log, once a minute.
 */
export class RefusalLimit {
  readonly #people: RateLimiter;
  readonly #strangers: TokenBucket;
  #warnedAt = -Infinity;
  #unsaid = 0;

  constructor(private readonly clock: Clock, private readonly log: Logger) {
    const now = () => clock.now();
    this.#people = new RateLimiter(OF_PERSON, now);
    this.#strangers = new TokenBucket({ ...OF_STRANGERS, now });
  }

  /** Whether one more is to be recorded; `subject` is null for whom no tenant knows. */
  admits(operation: string, subject: string | null): boolean {
    const wait = subject === null ? this.#strangers.take(1) : this.#people.take(subject);
    if (wait > 0) this.#warn(operation, subject);
    return wait === 0;
  }

  #warn(operation: string, subject: string | null): void {
    this.#unsaid++;
    const now = this.clock.now();
    if (now - this.#warnedAt < WARN_EVERY) return;
    this.log.warn("refusals beyond the limit are not in the audit", {
      operation,
      subject,
      refused: this.#unsaid,
    });
    this.#warnedAt = now;
    this.#unsaid = 0;
  }
}
