import type { Tx } from "../engine/database.ts";
import { sql } from "../engine/sql.ts";

/** What was reserved for one call. Amounts in integer micro-USD. */
export interface Reservation {
  tenantId: string;
  provider: string;
  /** The UTC day of the call, `2026-01-31`. */
  day: string;
  amount: number;
}

/** A provider's entry for a day. */
export interface LedgerRow {
  day: string;
  provider: string;
  reserved: number;
  spent: number;
}

/** The UTC day by the database's clock, which all cores share. */
export async function ledgerDay(tx: Tx): Promise<string> {
  const [row] = await tx.rows<{ day: string }>(sql`select (now() at time zone 'UTC')::date::text as day`);
  return row!.day;
}

/**
 * Reserves the worst case of a call, in one statement that concurrent calls cannot pass: what the tenant has reserved and
 * spent that day with all of its providers never exceeds `limit`.
 *
 * @returns false if the amount does not fit; nothing has changed then
 */
export async function reserve(tx: Tx, wanted: Reservation, limit: number): Promise<boolean> {
  const { tenantId, provider, day, amount } = wanted;
  checkAmount(amount);
  checkAmount(limit);
  const rows = await tx.rows(sql`
    with fits as (
      insert into analyst_day as d (tenant_id, day, used)
      select ${tenantId}, ${day}::date, ${amount}::bigint where ${amount}::bigint <= ${limit}::bigint
      on conflict (tenant_id, day) do update set used = d.used + excluded.used
        where d.used + excluded.used <= ${limit}::bigint
      returning day
    )
    insert into analyst_ledger as l (tenant_id, day, provider, reserved, spent)
    select ${tenantId}, fits.day, ${provider}, ${amount}::bigint, 0 from fits
    on conflict (tenant_id, day, provider) do update set reserved = l.reserved + excluded.reserved
    returning provider`);
  return rows.length > 0;
}

/**
 * Replaces a reservation by what the call cost; 0 for a call that the provider did not bill. Call it once for each
 * reservation. A provider that charges more than its worst case is recorded as it charges.
 */
export async function settle(tx: Tx, reserved: Reservation, spent: number): Promise<void> {
  const { tenantId, provider, day, amount } = reserved;
  checkAmount(amount);
  checkAmount(spent);
  // In the order in which `reserve` locks.
  const changed = await tx.run(sql`
    update analyst_day set used = used - ${amount}::bigint + ${spent}::bigint
    where tenant_id = ${tenantId} and day = ${day}::date`);
  if (changed === 0) return;
  await tx.run(sql`
    update analyst_ledger set reserved = reserved - ${amount}::bigint, spent = spent + ${spent}::bigint
    where tenant_id = ${tenantId} and day = ${day}::date and provider = ${provider}`);
}

/** The entries from `from` to `to`, newest day first. */
export async function ledgerRows(
  tx: Tx,
  tenantId: string,
  { from, to }: { from: string; to: string },
): Promise<LedgerRow[]> {
  return await tx.rows<LedgerRow>(sql`
    select day::text as day, provider, reserved, spent from analyst_ledger
    where tenant_id = ${tenantId} and day >= ${from}::date and day <= ${to}::date
    order by analyst_ledger.day desc, provider`);
}

/** What the tenant has used of a day's budget: reserved and spent with all of its providers. */
export async function ledgerSum(
  tx: Tx,
  tenantId: string,
  day: string,
): Promise<{ reserved: number; spent: number }> {
  const rows = await ledgerRows(tx, tenantId, { from: day, to: day });
  return {
    reserved: rows.reduce((sum, row) => sum + row.reserved, 0),
    spent: rows.reduce((sum, row) => sum + row.spent, 0),
  };
}

/** Deletes the entries of days before the one that begins `days` days before today. */
export async function expireLedger(tx: Tx, tenantId: string, days: number): Promise<void> {
  const before = sql`(now() at time zone 'UTC')::date - ${days}::integer`;
  await tx.run(sql`delete from analyst_day where tenant_id = ${tenantId} and day < ${before}`);
  await tx.run(sql`delete from analyst_ledger where tenant_id = ${tenantId} and day < ${before}`);
}

function checkAmount(microusd: number): void {
  if (Number.isSafeInteger(microusd) && microusd >= 0) return;
  throw new RangeError(`expected whole micro-USD from 0 to 2^53 - 1, not ${microusd}`);
}
