import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

/** Maximum clock difference of cores that share a database, in microseconds. */
const CLOCK_MARGIN = 60_000_000;

/**
 * Marks a nonce as used; false if any core has used it before. `expiresAt` (microseconds) is the last moment
 * at which its claims are accepted.
 */
export async function useNonce(tx: Tx, nonce: string, expiresAt: number): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into signed_nonce (nonce, expires_at) values (${nonce}, ${timestampLiteral(expiresAt)})
    on conflict (nonce) do nothing`);
  return inserted === 1;
}

/** Deletes nonces that no core accepts any more; returns how many. */
export async function purgeNonces(tx: Tx, now: number): Promise<number> {
  return await tx.run(
    sql`delete from signed_nonce where expires_at < ${timestampLiteral(now - CLOCK_MARGIN)}`,
  );
}
