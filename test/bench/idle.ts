import type { Appliance } from "./appliance.ts";
import pg from "pg";

/** Tells when all that was sent has been taken up. */
export interface Idle {
  reached(): Promise<void>;
  /** Records that are acknowledged and not yet taken up; null where it cannot be told. */
  left(): Promise<number | null>;
  close(): Promise<void>;
}

export function idleByHealth(appliance: Appliance): Idle {
  return {
    async reached() {
      while ((await appliance.health()).ingest.oldest_buffered_at !== null) await sleep(200);
    },
    left: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  };
}

/** A health report is a dozen queries: asked for all the time it would be a load of its own (measured: 4 % of the rate). */
export async function idleByDatabase(url: string): Promise<Idle> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    async reached() {
      for (;;) {
        const { rows } = await client.query(`
          select from raw_batch b left join pipeline_cursor c using (tenant_id)
          where b.batch_no > coalesce(c.batch_no, 0) limit 1`);
        if (rows.length === 0) return;
        await sleep(50);
      }
    },
    async left() {
      const { rows } = await client.query(`
        select coalesce(sum(b.accepted), 0)::float8 as records from raw_batch b left join pipeline_cursor c using (tenant_id)
        where b.batch_no > coalesce(c.batch_no, 0)`);
      return rows[0].records;
    },
    close: () => client.end(),
  };
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
