import { randomUuid } from "../kit/id.ts";
import type { Database } from "./database.ts";
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

/** Gives the lease back, so that another core need not wait for it to run out. */
export async function releaseLease(db: Database, lease: Lease): Promise<void> {
  await db.shared((tx) =>
    tx.run(sql`
      update lease set expires_at = now() - interval '1 second'
      where name = ${lease.name} and holder = ${lease.holder} and epoch = ${lease.epoch}`)
  );
}
