import type { Database, OwnerTx } from "./database.ts";
import { timestampLiteral } from "./literals.ts";
import { errorCode } from "./retry.ts";
import { identifier, Sql, sql } from "./sql.ts";
import { PARTITIONED_TABLES, type PartitionedTable } from "./tables.ts";

const DAY = 86_400_000_000;
/** Days made ahead, so that a night without upkeep finds its partitions. */
const DAYS_AHEAD = 3;

/** The start of the UTC day, in microseconds. */
function dayOf(micros: number): number {
  return Math.floor(micros / DAY) * DAY;
}

function partitionName(table: PartitionedTable, day: number): string {
  return `${table.name}_${new Date(day / 1000).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

function literal(micros: number): Sql {
  return new Sql([`'${timestampLiteral(micros)}'`], []);
}

/**
 * Makes the day partitions from yesterday to three days ahead, and one for each day inside the retention window
 * that the default partition holds rows of; those rows move. A day outside the window stays in the default.
 */
export async function createPartitions(db: Database, now: number, retentionDays: number): Promise<string[]> {
  const made: string[] = [];
  for (const table of PARTITIONED_TABLES) {
    const wanted = new Set<number>();
    for (let day = -1; day <= DAYS_AHEAD; day++) wanted.add(dayOf(now) + day * DAY);
    const oldest = dayOf(now) - (retentionDays + table.extraDays) * DAY;
    for (const day of await daysInDefault(db, table, oldest, dayOf(now) + DAYS_AHEAD * DAY)) wanted.add(day);
    const existing = new Set(await partitionsOf(db, table));
    for (const day of [...wanted].sort((a, b) => a - b)) {
      const name = partitionName(table, day);
      if (existing.has(name)) continue;
      await db.owner((tx) => createDay(tx, table, name, day));
      made.push(name);
    }
  }
  return made;
}

async function daysInDefault(
  db: Database,
  table: PartitionedTable,
  from: number,
  to: number,
): Promise<number[]> {
  const column = identifier(table.column);
  const rows = await db.owner((tx) =>
    tx.rows<{ day: number }>(sql`
      select distinct date_trunc('day', ${column}) as day from ${identifier(table.name + "_default")}
      where ${column} >= ${literal(from)} and ${column} < ${literal(to + DAY)}`)
  );
  return rows.map((row) => row.day);
}

/** Names of the attached day partitions. */
export async function partitionsOf(db: Database, table: PartitionedTable): Promise<string[]> {
  const rows = await db.owner((tx) =>
    tx.rows<{ name: string }>(sql`
      select child.relname::text as name
      from pg_inherits join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
      where parent.relname = ${table.name} and child.relname <> ${table.name + "_default"}
        and pg_table_is_visible(parent.oid)
      order by 1`)
  );
  return rows.map((row) => row.name);
}

async function createDay(tx: OwnerTx, table: PartitionedTable, name: string, day: number): Promise<void> {
  const parent = identifier(table.name);
  const fallback = identifier(`${table.name}_default`);
  const child = identifier(name);
  const column = identifier(table.column);
  const range = sql`${column} >= ${literal(day)} and ${column} < ${literal(day + DAY)}`;
  // Two cores may do their upkeep together: the second waits here and finds the partition made.
  await tx.run(sql`lock table ${parent} in share update exclusive mode`);
  const [found] = await tx.rows(
    sql`select from pg_class where relname = ${name} and pg_table_is_visible(oid)`,
  );
  if (found) return;
  // Ingest would otherwise put new rows of the day into the default between the move and the attachment.
  await tx.run(sql`lock table ${fallback} in access exclusive mode`);
  await tx.run(
    sql`create table ${child} (like ${parent} including defaults including constraints including storage)`,
  );
  await tx.run(sql`insert into ${child} select * from ${fallback} where ${range}`);
  await tx.run(sql`delete from ${fallback} where ${range}`);
  await tx.run(sql`
    alter table ${parent} attach partition ${child}
    for values from (${literal(day)}) to (${literal(day + DAY)})`);
}

/**
 * Drops whole days older than the retention. A long reader makes the drop give up after two seconds and the next
 * round tries again, so that ingest never queues behind it. Returns the names dropped.
 */
export async function dropPartitions(db: Database, now: number, retentionDays: number): Promise<string[]> {
  const dropped: string[] = [];
  for (const table of PARTITIONED_TABLES) {
    const oldest = dayOf(now) - (retentionDays + table.extraDays) * DAY;
    for (const name of await partitionsOf(db, table)) {
      if (name >= partitionName(table, oldest)) continue;
      try {
        await db.owner(async (tx) => {
          await tx.script("set local lock_timeout = '2s'");
          await tx.run(sql`drop table ${identifier(name)}`);
        });
        dropped.push(name);
      } catch (error) {
        if (errorCode(error) !== "55P03") throw error;
      }
    }
  }
  return dropped;
}
