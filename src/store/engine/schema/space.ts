import type { Database } from "../database.ts";
import { timestampLiteral } from "../literals.ts";
import { dayOfPartition, settingsOf, withLockTimeout } from "./partitions.ts";
import { identifier, Sql, sql } from "../sql.ts";
import { PARTITIONED_TABLES, type PartitionedTable } from "../tables.ts";

const HOUR = 3_600_000_000;

/** Table sizes with indexes and out-of-line storage, without the server's log and catalogs. */
const SIZES = sql`
  select c.relname::text as name, coalesce(pg_total_relation_size(c.oid), 0)::bigint as bytes
  from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`;

/** Bytes on disk of all tables together. */
export async function storedBytes(db: Database): Promise<number> {
  const rows = await db.owner((tx) =>
    tx.rows<{ bytes: number }>(sql`select coalesce(sum(bytes), 0)::bigint as bytes from (${SIZES}) sizes`)
  );
  return rows[0]!.bytes;
}

export interface StoredSpace {
  total: number;
  /** Bytes of the tables that are not partitioned by day. */
  unpartitioned: number;
  days: { table: PartitionedTable; day: number; bytes: number }[];
  /** Contents of the default partitions by hour of receipt; `bytes` is estimated from the number of rows. */
  hours: { hour: number; bytes: number }[];
}

/** How the space is used. Reads the default partitions in full. */
export async function storedSpace(db: Database): Promise<StoredSpace> {
  const sizes = new Map(
    (await db.owner((tx) => tx.rows<{ name: string; bytes: number }>(SIZES)))
      .map(({ name, bytes }) => [name, bytes]),
  );
  const sum = (bytes: Iterable<number>) => [...bytes].reduce((total, one) => total + one, 0);
  const total = sum(sizes.values());
  const space: StoredSpace = { total, unpartitioned: total, days: [], hours: [] };
  for (const table of PARTITIONED_TABLES) {
    const days = [...sizes].filter(([name]) =>
      name.replace(/_\d{8}$/, "") === table.name && name !== table.name
    )
      .map(([name, bytes]) => ({ table, day: dayOfPartition(name), bytes }));
    const rest = sizes.get(defaultOf(table)) ?? 0;
    space.days.push(...days);
    space.hours.push(...await hoursOf(db, table, rest));
    space.unpartitioned -= sum(days.map(({ bytes }) => bytes)) + rest;
  }
  return space;
}

async function hoursOf(db: Database, table: PartitionedTable, bytes: number): Promise<StoredSpace["hours"]> {
  const rows = await db.owner(async (tx) => {
    await tx.script("set local statement_timeout = 0");
    return await tx.rows<{ hour: number; count: number }>(sql`
      select date_trunc('hour', ${identifier(table.expiryColumn)}) as hour, count(*)::bigint as count
      from ${identifier(defaultOf(table))} group by 1`);
  });
  const all = rows.reduce((total, { count }) => total + count, 0);
  return rows.map(({ hour, count }) => ({ hour, bytes: bytes * count / all }));
}

/** End of the hour that starts at `hour`, in microseconds. */
export function endOfHour(hour: number): number {
  return hour + HOUR;
}

function defaultOf(table: PartitionedTable): string {
  return `${table.name}_default`;
}

/**
 * Removes rows received before `before` (microseconds) from the default partitions. The remaining rows are
 * rewritten to new tables, because a delete alone returns no space to the disk; the tables are locked
 * meanwhile. Gives up after waiting two seconds for the locks. Returns the number of removed rows.
 */
export async function trimDefaults(db: Database, before: number): Promise<number> {
  let removed = 0;
  await withLockTimeout(db, async (tx) => {
    removed = 0;
    const names = PARTITIONED_TABLES.map(({ name }) => name);
    // In one transaction: a record without its key would count as new when it is resent.
    await tx.run(new Sql([`lock table ${names.join(", ")} in access exclusive mode`], []));
    for (const table of PARTITIONED_TABLES) {
      const [parent, fallback] = [identifier(table.name), identifier(defaultOf(table))];
      const kept = identifier(`${table.name}_kept`);
      const old = sql`${identifier(table.expiryColumn)} < ${timestampLiteral(before)}::timestamptz`;
      const [found] = await tx.rows<{ count: number }>(
        sql`select count(*)::bigint as count from ${fallback} where ${old}`,
      );
      if (found!.count === 0) continue;
      removed += found!.count;
      const settings = await settingsOf(tx, defaultOf(table));
      await tx.run(
        sql`create table ${kept} (like ${parent} including defaults including constraints including storage) ${settings}`,
      );
      await tx.run(sql`insert into ${kept} select * from ${fallback} where not (${old})`);
      await tx.run(sql`drop table ${fallback}`);
      await tx.run(sql`alter table ${kept} rename to ${fallback}`);
      await tx.run(sql`alter table ${parent} attach partition ${fallback} default`);
    }
  });
  return removed;
}
