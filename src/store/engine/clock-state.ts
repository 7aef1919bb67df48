// What an installation knows of time, beside its clock. Retention deletes days by the clock, and a clock that was set forward
// would delete everything at once. So the time for which a core has run is saved as an allowance: each day that retention
// deletes uses up one day of it.

import type { ClockKnowledge } from "../../domain/health/known-time.ts";
import type { Database, Tx } from "./database.ts";
import { timestampLiteral } from "./literals.ts";
import { sql } from "./sql.ts";

interface Row {
  known_at: number;
  leap_at: number | null;
  lived_us: number | null;
}

/** Null before the first round of the first core. */
export async function readClockState(tx: Tx): Promise<ClockKnowledge | null> {
  const [row] = await tx.rows<Row>(sql`select known_at, leap_at, lived_us from clock_state`);
  if (row === undefined) return null;
  const { known_at: knownAt, leap_at: at, lived_us: lived } = row;
  return { knownAt, leap: at === null || lived === null ? null : { at, lived } };
}

/** Saves the state and adds the time run since the last call to the allowance, up to `mostAllowance`. Microseconds. */
export async function saveClockState(
  tx: Tx,
  { knownAt, leap }: ClockKnowledge,
  { uptime, mostAllowance }: { uptime: number; mostAllowance: number },
): Promise<void> {
  const leapAt = leap === null ? null : timestampLiteral(leap.at);
  await tx.run(sql`
    insert into clock_state as kept (known_at, leap_at, lived_us)
    values (${timestampLiteral(knownAt)}::timestamptz, ${leapAt}::timestamptz,
      ${leap === null ? null : Math.round(leap.lived)}::bigint)
    on conflict (only_one) do update set known_at = greatest(kept.known_at, excluded.known_at),
      leap_at = excluded.leap_at, lived_us = excluded.lived_us,
      drop_credit_us = least(kept.drop_credit_us + ${Math.round(uptime)}::bigint, ${mostAllowance}::bigint)`);
}

/** The database's clock, in microseconds. */
export async function databaseNow(tx: Tx): Promise<number> {
  const [row] = await tx.rows<{ now: number }>(sql`select clock_timestamp() as now`);
  return row!.now;
}

/** The earlier of `now` and the known time: what is deleted by age must have expired by both. */
export async function knownNow(tx: Tx, now: number): Promise<number> {
  return Math.min(now, (await readClockState(tx))?.knownAt ?? now);
}

/** Time that retention may delete, in microseconds. */
export async function retentionAllowance(tx: Tx): Promise<number> {
  const [row] = await tx.rows<{ allowance: number }>(
    sql`select drop_credit_us as allowance from clock_state`,
  );
  return row?.allowance ?? 0;
}

/** Uses up allowance, or gives it back if negative. */
export async function spendRetentionAllowance(tx: Tx, micros: number): Promise<void> {
  await tx.run(
    sql`update clock_state set drop_credit_us = greatest(drop_credit_us - ${micros}::bigint, 0)`,
  );
}

/** Receipt of the newest batch of any tenant, in microseconds; null if there is none. */
export async function newestReceipt(db: Database, tenantIds: Iterable<string>): Promise<number | null> {
  let newest: number | null = null;
  for (const tenantId of tenantIds) {
    const [row] = await db.tenant(tenantId, (tx) =>
      tx.rows<{ at: number }>(sql`
        select received_at as at from raw_batch where tenant_id = ${tenantId} order by batch_no desc limit 1`));
    if (row !== undefined) newest = Math.max(newest ?? row.at, row.at);
  }
  return newest;
}
