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

/** How long an unanswered claim stays in progress, in microseconds. */
export const CLAIM_LEASE = 300 * 1_000_000;
/** How long an answer can be replayed, in microseconds. */
const ANSWER_RETENTION = 24 * 3600 * 1_000_000;
/** `Retry-After` in seconds while the first request is in progress. */
const RETRY_AFTER = 1;

interface Write {
  db: Database;
  clock: Clock;
  log: Logger;
  key: IdempotencyKey;
  fingerprint: string;
  /** Runs in the transaction that also stores its answer. May run again after a deadlock. */
  effect: (tx: Tx) => Promise<StoredAnswer>;
  /** Records an expected rejection, in the transaction that releases the key. */
  onRejection: (tx: Tx, error: ApiError) => Promise<void>;
}

/**
 * Runs a write at most once per key and returns its answer, or the stored answer of an earlier run. It works
 * in two steps so that a concurrent request sees the first one: the key is claimed under a lease, then effect
 * and answer commit together. Only an effect is stored: a rejected write releases its key, so that the client
 * can send it again with the same key and a corrected body or `If-Match`.
 *
 * @throws ApiError 409 while another request holds the key, 422 if the key was used for a different request
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
    throw new ApiError("invalid_request", "This Idempotency-Key was already used for a different request.", {
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
      await db.tenant(key.tenantId, async (tx) => {
        // Another request took over the claim, or answered it in the meantime; its answer counts.
        if (!await releaseClaim(tx, key, claimId)) throw inProgress();
        await write.onRejection(tx, error);
      });
      throw error;
    }
    await release(write, claimId);
    throw error;
  }
}

async function release(write: Write, claimId: string): Promise<void> {
  try {
    await write.db.tenant(write.key.tenantId, async (tx) => {
      await releaseClaim(tx, write.key, claimId);
    });
  } catch (error) {
    // The claim expires with its lease.
    write.log.warn("cannot release an idempotency claim", { error: messageOf(error) });
  }
}

function inProgress(): ApiError {
  return new ApiError(
    "invalid_request",
    "A request with this Idempotency-Key is still in progress; retry.",
    { reason: "idempotency_in_progress" },
    409,
    RETRY_AFTER,
  );
}
