import { randomUuid } from "../../kit/id.ts";
import type { Database, Tx } from "./database.ts";
import { sql } from "./sql.ts";

/** The right to do one job. The epoch grows with every change of holder. */
export interface Lease {
  name: string;
  holder: string;
  epoch: number;
}

/**
 * A new holder's name, one for each part of a core that takes leases. An embedded database has one process at
 * a time, so leases of an earlier, possibly killed process belong to this one.
 */
export function leaseHolder({ engine }: Pick<Database, "engine">): string {
  return engine === "pglite" ? "embedded" : randomUuid();
}

/** Acquires or renews a lease for `seconds`, on the database's clock. Null while another holder has it. */
export async function acquireLease(
  db: Database,
  name: string,
  holder: string,
  seconds: number,
): Promise<Lease | null> {
  const rows = await db.shared((tx) =>
    tx.rows<{ epoch: number }>(sql`
      insert into lease (name, holder, epoch, expires_at)
      values (${name}, ${holder}, 1, now() + ${seconds} * interval '1 second')
      on conflict (name) do update set
        holder = excluded.holder,
        epoch = case when lease.holder = excluded.holder then lease.epoch else lease.epoch + 1 end,
        expires_at = excluded.expires_at
      where lease.holder = excluded.holder or lease.expires_at < now()
      returning epoch`)
  );
  return rows[0] ? { name, holder, epoch: rows[0].epoch } : null;
}

/**
 * Locks the lease until the end of the transaction, so that no other holder can take it over before. False if
 * one already has: the caller must then change nothing.
 */
export async function keepLease(tx: Tx, { name, holder, epoch }: Lease): Promise<boolean> {
  const rows = await tx.rows(sql`
    select from lease where name = ${name} and holder = ${holder} and epoch = ${epoch} for share`);
  return rows.length > 0;
}

/** Releases the lease, so that other cores need not wait until it expires. */
export async function releaseLease(db: Database, lease: Lease): Promise<void> {
  await db.shared((tx) =>
    tx.run(sql`
      update lease set expires_at = now() - interval '1 second'
      where name = ${lease.name} and holder = ${lease.holder} and epoch = ${lease.epoch}`)
  );
}

/** The names of all leases that are held now, on the database's clock. */
export async function heldLeases(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ name: string }>(
    sql`select name from lease where expires_at > now() order by 1`,
  );
  return rows.map(({ name }) => name);
}
