import { ApiError } from "../contract/request/errors.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import { randomUuid } from "../kit/id.ts";
import type { Logger } from "../observe/log.ts";
import type { Database, Tx } from "../store/engine/database.ts";
import {
  claimKey,
  holdClaim,
  type IdempotencyKey,
  releaseClaim,
  storeAnswer,
  type StoredAnswer,
} from "../store/session/idempotency.ts";

/** How long a claim stays in progress without an answer, in microseconds. */
export const CLAIM_LEASE = 300 * 1_000_000;
/** How long an answer can be replayed. */
const ANSWER_RETENTION = 24 * 3600 * 1_000_000;
/** What a caller is told to wait, in seconds, while its first request is being answered. */
const RETRY_AFTER = 1;

interface Write {
  db: Database;
  clock: Clock;
  log: Logger;
  key: IdempotencyKey;
  fingerprint: string;
  /** Does the work in the transaction that also stores its answer. May run again after a deadlock. */
  effect: (tx: Tx) => Promise<StoredAnswer>;
  /** Takes note of an expected refusal, in the transaction that stores it as the answer. */
  onRefusal: (tx: Tx, error: ApiError) => Promise<void>;
  /** An expected refusal as the answer that goes out. */
  refusal: (error: ApiError) => StoredAnswer;
}

/**
 * Runs a write at most once for its key and gives its answer, or the answer it had before. Two steps, so that
 * a second request meets the first one while it works: the key is claimed under a lease, then effect and answer
 * commit together. A refusal changes nothing and is stored as well; a failure of ours (5xx) and a "later" (429)
 * are not, so that a retry can succeed.
 *
 * @throws ApiError 409 while another request holds the key, 422 where the key was used for another request.
 */
export async function runOnce(write: Write): Promise<StoredAnswer> {
  const { db, key } = write;
  const claimId = randomUuid();
  const now = write.clock.now();
  const claim = await db.tenant(key.tenantId, (tx) =>
    claimKey(tx, {
      ...key,
      fingerprint: write.fingerprint,
      claimId,
      now,
      leaseUntil: now + CLAIM_LEASE,
      expiresAt: now + ANSWER_RETENTION,
    }));
  if (claim.outcome === "answered") return claim.answer;
  if (claim.outcome === "in_progress") throw inProgress();
  if (claim.outcome === "mismatch") {
    throw new ApiError("invalid_request", "This Idempotency-Key was used for another request.", {
      reason: "idempotency_mismatch",
    }, 422);
  }

  try {
    return await db.tenant(key.tenantId, async (tx) => {
      if (!await holdClaim(tx, key, claimId)) throw inProgress();
      const answer = await write.effect(tx);
      await storeAnswer(tx, key, claimId, answer);
      return answer;
    });
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
      const answer = write.refusal(error);
      await db.tenant(key.tenantId, async (tx) => {
        // Whoever took the claim over, or has it answered by now, says what the answer is.
        if (!await storeAnswer(tx, key, claimId, answer)) throw inProgress();
        await write.onRefusal(tx, error);
      });
      return answer;
    }
    await release(write, claimId);
    throw error;
  }
}

async function release(write: Write, claimId: string): Promise<void> {
  try {
    await write.db.tenant(write.key.tenantId, (tx) => releaseClaim(tx, write.key, claimId));
  } catch (error) {
    // The lease ends it.
    write.log.warn("an idempotency claim could not be released", { error: messageOf(error) });
  }
}

function inProgress(): ApiError {
  return new ApiError(
    "invalid_request",
    "A request with this Idempotency-Key is being answered; try again.",
    { reason: "idempotency_in_progress" },
    409,
    RETRY_AFTER,
  );
}
