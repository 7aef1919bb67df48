import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

/** A key with its sender: keys are per subject. */
export interface IdempotencyKey {
  tenantId: string;
  subject: string;
  key: string;
}

/** A response as sent, to be replayed unchanged. */
export interface StoredAnswer {
  status: number;
  etag: string | null;
  retryAfter: number | null;
  body: string;
}

type ClaimOutcome =
  | { outcome: "claimed" }
  /** Another request is working on it. */
  | { outcome: "in_progress" }
  /** The key was used for another request. */
  | { outcome: "mismatch" }
  | { outcome: "answered"; answer: StoredAnswer };

interface NewClaim extends IdempotencyKey {
  /** Digest of the method, path, query and body. */
  fingerprint: string;
  /** A fresh UUID that identifies the holder of the claim. */
  claimId: string;
  /** Microseconds. */
  now: number;
  leaseUntil: number;
  expiresAt: number;
}

interface ClaimRow {
  fingerprint: string;
  claim_id: string;
  lease_until: number;
  expires_at: number;
  status: number | null;
  etag: string | null;
  retry_after: number | null;
  body: string | null;
}

/** Claims a key, or returns its state. A claim with an expired lease passes to the next request. */
export async function claimKey(tx: Tx, claim: NewClaim): Promise<ClaimOutcome> {
  if (await insertClaim(tx, claim)) return { outcome: "claimed" };
  // Read without a lock: the holder locks the row while it works, and this request must not wait for it.
  const [row] = await tx.rows<ClaimRow>(sql`
    select fingerprint, claim_id, lease_until, expires_at, status, etag, retry_after, body from idempotency
    where ${isKey(claim)}`);
  if (!row) return await insertClaim(tx, claim) ? { outcome: "claimed" } : { outcome: "in_progress" };

  const expired = row.expires_at <= claim.now;
  if (!expired && row.fingerprint !== claim.fingerprint) return { outcome: "mismatch" };
  if (!expired && row.status !== null) {
    const { status, etag, retry_after: retryAfter, body } = row;
    return { outcome: "answered", answer: { status, etag, retryAfter, body: body ?? "" } };
  }
  if (!expired && row.lease_until > claim.now) return { outcome: "in_progress" };
  return await takeOver(tx, claim, row.claim_id) ? { outcome: "claimed" } : { outcome: "in_progress" };
}

/** Takes over an expired claim; false if its holder still works, or another request was faster. */
async function takeOver(tx: Tx, claim: NewClaim, from: string): Promise<boolean> {
  const free = await tx.rows(sql`
    select 1 as free from idempotency
    where ${isKey(claim)} and claim_id = ${from}
      and (status is null or expires_at <= ${timestampLiteral(claim.now)})
    for update skip locked`);
  if (free.length === 0) return false;
  await tx.run(sql`
    update idempotency set fingerprint = ${claim.fingerprint}, claim_id = ${claim.claimId},
      lease_until = ${timestampLiteral(claim.leaseUntil)}, expires_at = ${timestampLiteral(claim.expiresAt)},
      status = null, etag = null, retry_after = null, body = null
    where ${isKey(claim)}`);
  return true;
}

/**
 * Locks the caller's claim until the transaction ends, so that it cannot be taken over during the effect;
 * false if it was taken over already.
 */
export async function holdClaim(tx: Tx, key: IdempotencyKey, claimId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    select 1 as held from idempotency where ${
    isKey(key)
  } and claim_id = ${claimId} and status is null for update`);
  return rows.length === 1;
}

/** Stores the response of the caller's claim; false, without effect, if the claim was taken over. */
export async function storeAnswer(
  tx: Tx,
  key: IdempotencyKey,
  claimId: string,
  answer: StoredAnswer,
): Promise<boolean> {
  const changed = await tx.run(sql`
    update idempotency set status = ${answer.status}, etag = ${answer.etag}, retry_after = ${answer.retryAfter},
      body = ${answer.body}
    where ${isKey(key)} and claim_id = ${claimId} and status is null`);
  return changed === 1;
}

/** Releases the caller's claim, so that a retry need not wait for the lease; false if it was taken over. */
export async function releaseClaim(tx: Tx, key: IdempotencyKey, claimId: string): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from idempotency where ${isKey(key)} and claim_id = ${claimId} and status is null`);
  return deleted === 1;
}

/** Deletes a tenant's expired responses; returns how many. */
export async function purgeAnswers(tx: Tx, tenantId: string, now: number): Promise<number> {
  return await tx.run(sql`
    delete from idempotency where tenant_id = ${tenantId} and expires_at <= ${timestampLiteral(now)}`);
}

async function insertClaim(tx: Tx, claim: NewClaim): Promise<boolean> {
  return await tx.run(sql`
    insert into idempotency (tenant_id, subject, idempotency_key, fingerprint, claim_id, lease_until, expires_at)
    values (${claim.tenantId}, ${claim.subject}, ${claim.key}, ${claim.fingerprint}, ${claim.claimId},
      ${timestampLiteral(claim.leaseUntil)}, ${timestampLiteral(claim.expiresAt)})
    on conflict (tenant_id, subject, idempotency_key) do nothing`) === 1;
}

function isKey(key: IdempotencyKey) {
  return sql`tenant_id = ${key.tenantId} and subject = ${key.subject} and idempotency_key = ${key.key}`;
}
