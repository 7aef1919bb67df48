// Rollups of a day for the graph bench: as dense as those of ten million flows in 31 days.

import type { Database } from "../../src/store/engine/database.ts";
import { timestampLiteral } from "../../src/store/engine/literals.ts";
import { sql } from "../../src/store/engine/sql.ts";

export const DEVICES = 20_000;
const BATCH = 1000;
const HOURS = 25;

const ADDRESS = sql`('10.' || n / 62500 || '.' || n / 250 % 250 || '.' || n % 250 + 1)::inet`;
const DEVICE = sql`md5('device ' || n)::uuid`;

/** Devices with an address each, in VLANs. */
export async function fillDevices(db: Database, now: number): Promise<void> {
  const at = sql`${timestampLiteral(now)}::timestamptz`;
  const each = sql`generate_series(0, ${String(DEVICES - 1)}::int) n`;
  await db.tenant("main", async (tx) => {
    await tx.run(sql`
      insert into device (tenant_id, device_id, display_name, first_seen, last_seen)
      select 'main', ${DEVICE}, 'host-' || n, ${at}, ${at} from ${each}`);
    await tx.run(sql`
      insert into device_address (tenant_id, ip, device_id, first_seen, last_seen)
      select 'main', ${ADDRESS}, ${DEVICE}, ${at}, ${at} from ${each}`);
    await tx.run(sql`
      insert into device_vlan (tenant_id, device_id, vlan_id) select 'main', ${DEVICE}, 10 + n % 20 from ${each}`);
  });
}

/**
 * Adds rows in batches of 1,000 as the pipeline would, and moves its cursor. Few clients and few peers have most of the
 * traffic, as in a real network.
 *
 * @param first Number of the first row; the rows from 0 to `total` are spread evenly over the 25 hours before `now`.
 */
export async function addTraffic(
  db: Database,
  { first, count, total, now }: { first: number; count: number; total: number; now: number },
): Promise<void> {
  const last = first + count;
  await db.tenant("main", async (tx) => {
    await tx.run(sql`
      insert into graph_traffic (tenant_id, batch_no, entry_no, minute, low, high, service, bytes_up, bytes_down,
        packets, flows, first_seen, last_seen)
      select 'main', 1 + i / ${String(BATCH)}::int, i % ${
      String(BATCH)
    }::int, date_trunc('minute', at), low, high,
        case when kind < 0.3 then 'dns' when kind < 0.6 then 'ssl' when kind < 0.7 then 'http' when kind < 0.72 then 'ntp' end,
        (kind * 10000)::int, (kind * 90000)::int, 26, 1, at, at + kind * interval '1 minute'
      from (
        select i, (hashint8extended(i, 1) & 1048575) / 1048576.0 as kind,
          (hashint8extended(i, 2) & 1048575) / 1048576.0 as who, (hashint8extended(i, 3) & 1048575) / 1048576.0 as whom,
          ${timestampLiteral(now)}::timestamptz - (${String(total)}::int - i)::float8 / ${String(total)}::int
            * ${String(HOURS)}::int * interval '1 hour' as at
        from generate_series(${String(first)}::int, ${String(last - 1)}::int) i offset 0
      ) d,
      lateral (select (${String(DEVICES - 1)}::int * who * who * who)::int as n offset 0) c,
      lateral (select ${ADDRESS} as low offset 0) a,
      lateral (select case when whom < 0.6 then (whom * 300)::int else (150000 * (whom - 0.6) * 2.5 * kind)::int end as p
        offset 0) e,
      lateral (select ('198.' || 18 + p / 62500 || '.' || p / 250 % 250 || '.' || p % 250 + 1)::inet as high offset 0) b`);
    await tx.run(sql`
      insert into pipeline_cursor (tenant_id, batch_no) values ('main', ${
      String(1 + Math.floor((last - 1) / BATCH))
    }::bigint)
      on conflict (tenant_id) do update set batch_no = excluded.batch_no`);
  });
}
