import { randomUuid } from "../../kit/id.ts";
import type { Database, Tx } from "./database.ts";
import { sql } from "./sql.ts";

/** The right to do one job, until `expiresAt`. The epoch grows with every change of holder. */
export interface Lease {
  name: string;
  holder: string;
  epoch: number;
}

/**
 * Who asks for leases, a new one for each part of a core that does. Nobody else can have an embedded database open: what
 * an earlier process held is ours, even where it was killed.
 */
export function leaseHolder({ engine }: Pick<Database, "engine">): string {
  return engine === "pglite" ? "embedded" : randomUuid();
}

/**
 * Takes or renews a lease for `seconds`, by the database's clock. Null while another holder's is running.
 */
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
 * Keeps the lease until the end of the transaction, whatever the time: nobody can take it over before. False where somebody
 * has: who has been away for too long then changes nothing.
 */
export async function keepLease(tx: Tx, { name, holder, epoch }: Lease): Promise<boolean> {
  const rows = await tx.rows(sql`
    select from lease where name = ${name} and holder = ${holder} and epoch = ${epoch} for share`);
  return rows.length > 0;
}

/** Gives the lease back, so that another core need not wait for it to run out. */
export async function releaseLease(db: Database, lease: Lease): Promise<void> {
  await db.shared((tx) =>
    tx.run(sql`
      update lease set expires_at = now() - interval '1 second'
      where name = ${lease.name} and holder = ${lease.holder} and epoch = ${lease.epoch}`)
  );
}

/** The names of the leases that somebody holds now, by the database's clock. */
export async function heldLeases(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ name: string }>(
    sql`select name from lease where expires_at > now() order by 1`,
  );
  return rows.map(({ name }) => name);
}
