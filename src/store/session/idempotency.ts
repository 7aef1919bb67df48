import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

/** Who sent a key. The same key of another person is another key. */
export interface IdempotencyKey {
  tenantId: string;
  subject: string;
  key: string;
}

/** An answer as it went out, to be sent again word for word. */
export interface StoredAnswer {
  status: number;
  etag: string | null;
  retryAfter: number | null;
  body: string;
}

type ClaimOutcome =
  | { outcome: "claimed" }
  /** Someone works on it. */
  | { outcome: "in_progress" }
  /** The key was used for another request. */
  | { outcome: "mismatch" }
  | { outcome: "answered"; answer: StoredAnswer };

interface NewClaim extends IdempotencyKey {
  /** Digest of the method, path, query and body. */
  fingerprint: string;
  /** A fresh UUID, by which the holder proves that the claim is still its own. */
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

/** Claims a key, or tells what became of it. A claim whose lease ran out passes to whoever asks next. */
export async function claimKey(tx: Tx, claim: NewClaim): Promise<ClaimOutcome> {
  if (await insertClaim(tx, claim)) return { outcome: "claimed" };
  // Read without a lock: the holder has the row locked while it works, and nobody should wait for that.
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

/** False where the holder still works, late as it is, or somebody else was faster. */
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
 * Locks one's own claim until the transaction ends, so that nobody takes it over in the middle of the effect;
 * false when it has passed to somebody else.
 */
export async function holdClaim(tx: Tx, key: IdempotencyKey, claimId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    select 1 as held from idempotency where ${
    isKey(key)
  } and claim_id = ${claimId} and status is null for update`);
  return rows.length === 1;
}

/** Turns one's own claim into its answer; false, and without effect, when it has passed to somebody else. */
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

/** Gives one's own claim up, so that a retry need not wait for the lease to run out. */
export async function releaseClaim(tx: Tx, key: IdempotencyKey, claimId: string): Promise<void> {
  await tx.run(sql`delete from idempotency where ${isKey(key)} and claim_id = ${claimId} and status is null`);
}

/** Forgets a tenant's answers that are past their time; returns how many. */
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
