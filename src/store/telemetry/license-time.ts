// The latest known time, for the licence.

import { LEAP_PROOF } from "../../domain/health/known-time.ts";
import type { KnownTime } from "../../domain/telemetry/license/time.ts";
import type { Database, Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";

interface Row {
  issued_at: number;
  known_at: number;
  leap_at: number | null;
  lived_us: number | null;
}

/** Null before the first licence. */
export async function readKnownTime(tx: Tx): Promise<KnownTime | null> {
  const [row] = await tx.rows<Row>(sql`select issued_at, known_at, leap_at, lived_us from license_time`);
  if (row === undefined) return null;
  const { issued_at: issuedAt, known_at: knownAt, leap_at: at, lived_us: lived } = row;
  return { issuedAt, knownAt, leap: at === null || lived === null ? null : { at, lived } };
}

/** Saves the known time unless the stored one is later: several cores may share an installation. */
export async function saveKnownTime(tx: Tx, { issuedAt, knownAt, leap }: KnownTime): Promise<void> {
  const leapAt = leap === null ? null : timestampLiteral(leap.at);
  await tx.run(sql`
    insert into license_time as kept (issued_at, known_at, leap_at, lived_us)
    values (${timestampLiteral(issuedAt)}::timestamptz, ${timestampLiteral(knownAt)}::timestamptz,
      ${leapAt}::timestamptz, ${leap === null ? null : Math.round(leap.lived)}::bigint)
    on conflict (only_one) do update set issued_at = excluded.issued_at, known_at = excluded.known_at,
      leap_at = excluded.leap_at, lived_us = excluded.lived_us
    where (kept.issued_at, kept.known_at) <= (excluded.issued_at, excluded.known_at)`);
}

/**
 * The latest time that other tables prove, in microseconds; null if there is none. Proofs are heartbeats and
 * registrations that a server accepted over TLS, because its certificate was valid at that time; and receipts
 * of a tenant that also received records 72 to 144 hours before, because a clock that was wrong for a shorter
 * time has no such pair.
 */
export async function timeEvidence(db: Database, tenantIds: Iterable<string>): Promise<number | null> {
  const [sent] = await db.shared((tx) =>
    tx.rows<{ at: number | null }>(sql`
      select max(answered_at) as at from telemetry_log
      where outcome = 'sent' and kind in ('registration', 'heartbeat') and origin like 'https:%'`)
  );
  let latest = sent?.at ?? null;
  const hours = LEAP_PROOF / 3_600_000_000;
  for (const tenantId of tenantIds) {
    const [received] = await db.tenant(tenantId, (tx) =>
      tx.rows<{ at: number }>(sql`
        select received_at as at from raw_batch late
        where tenant_id = ${tenantId} and exists (
          select from raw_batch early where early.tenant_id = ${tenantId}
            and early.received_at >= late.received_at - ${2 * hours} * interval '1 hour'
            and early.received_at <= late.received_at - ${hours} * interval '1 hour')
        order by received_at desc limit 1`));
    if (received !== undefined) latest = Math.max(latest ?? received.at, received.at);
  }
  return latest;
}
