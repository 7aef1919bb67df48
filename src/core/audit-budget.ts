import type { Clock } from "../kit/clock.ts";
import { RateLimiter } from "../kit/net/rate-limiter.ts";
import { TokenBucket } from "../kit/net/token-bucket.ts";
import type { Logger } from "../observe/log.ts";

/** Per user: a burst, then six per minute. */
const PER_USER = { burst: 300, perSecond: 0.1 };
/** All users without access to any tenant together. */
const WITHOUT_ACCESS = { burst: 200, ratePerSecond: 0.1 };
/** Microseconds between two warnings. */
const WARN_EVERY = 60_000_000;

/** What any account can cause, and how it is called in the log. */
type Budgeted = "refusals" | "session events";

/**
 * Limits how many refusals, or how many session events, are written to the audit. Any account can cause them,
 * and audit rows cannot be removed for 90 days, so without a limit the least privileged account could fill
 * the disk. What exceeds the limit is logged once per minute.
 */
export class AuditBudget {
  readonly #users: RateLimiter;
  readonly #withoutAccess: TokenBucket;
  #warnedAt = -Infinity;
  #unlogged = 0;

  constructor(
    private readonly what: Budgeted,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    const now = () => clock.now();
    this.#users = new RateLimiter(PER_USER, now);
    this.#withoutAccess = new TokenBucket({ ...WITHOUT_ACCESS, now });
  }

  /** Whether to record one more; `subject` is null for a user without access to any tenant. */
  admits(operation: string, subject: string | null): boolean {
    const wait = subject === null ? this.#withoutAccess.take(1) : this.#users.take(subject);
    if (wait > 0) this.#warn(operation, subject);
    return wait === 0;
  }

  #warn(operation: string, subject: string | null): void {
    this.#unlogged++;
    const now = this.clock.now();
    if (Math.abs(now - this.#warnedAt) < WARN_EVERY) return;
    this.log.warn(`audit limit reached, ${this.what} not recorded`, {
      operation,
      subject,
      unrecorded: this.#unlogged,
    });
    this.#warnedAt = now;
    this.#unlogged = 0;
  }
}
