import type { Appliance } from "./appliance.ts";
import pg from "pg";

/** Watches the backlog of the pipeline. */
export interface Idle {
  /** Resolves when everything sent has been processed. */
  reached(): Promise<void>;
  /** Acknowledged records that are not processed yet; null if it cannot be measured. */
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

/** Polling the health report, a dozen queries, would be a load of its own (measured: 4 % of the rate). */
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
