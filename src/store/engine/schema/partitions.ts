import type { Database, OwnerTx } from "../database.ts";
import { timestampLiteral } from "../literals.ts";
import { errorCode } from "../retry.ts";
import { identifier, Sql, sql } from "../sql.ts";
import { DAYS_AHEAD, PARTITIONED_TABLES, type PartitionedTable } from "../tables.ts";

const DAY = 86_400_000_000;

/** The start of the UTC day, in microseconds. */
export function dayOf(micros: number): number {
  return Math.floor(micros / DAY) * DAY;
}

function partitionName(table: PartitionedTable, day: number): string {
  return `${table.name}_${new Date(day / 1000).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

/** Start of a partition's day, in microseconds. */
export function dayOfPartition(name: string): number {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name)!;
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) * 1000;
}

function literal(micros: number): Sql {
  return new Sql([`'${timestampLiteral(micros)}'`], []);
}

/**
 * Creates the day partitions from yesterday to three days ahead, and one for each day in the retention window
 * that the default partition has rows of; those rows move there. If a table is locked by a long reader, it is
 * left to the next round, so that ingest never queues behind it. Returns the names of the new partitions.
 */
export async function createPartitions(db: Database, now: number, retentionDays: number): Promise<string[]> {
  const made: string[] = [];
  for (const table of PARTITIONED_TABLES) {
    const wanted = new Set<number>();
    for (let day = -1; day <= DAYS_AHEAD; day++) wanted.add(dayOf(now) + day * DAY);
    const oldest = dayOf(now) - (retentionDays + table.extraDays) * DAY;
    for (const day of await daysInDefault(db, table, oldest, dayOf(now) + DAYS_AHEAD * DAY)) wanted.add(day);
    const existing = new Set(await partitionsOf(db, table));
    for (const day of wanted) {
      const name = partitionName(table, day);
      if (existing.has(name)) continue;
      if (!(await withLockTimeout(db, (tx) => createDay(tx, table, name, day)))) break;
      made.push(name);
    }
  }
  return made;
}

/**
 * Runs work that needs exclusive locks. Gives up and returns false if it waits longer than two seconds for
 * one.
 */
export async function withLockTimeout(db: Database, work: (tx: OwnerTx) => Promise<void>): Promise<boolean> {
  try {
    await db.owner(async (tx) => {
      // Only waiting is limited: other transactions queue behind a waiting lock. The work itself may take any
      // time.
      await tx.script("set local lock_timeout = '2s'; set local statement_timeout = 0");
      await work(tx);
    });
    return true;
  } catch (error) {
    if (errorCode(error) !== "55P03") throw error;
    return false;
  }
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
      where ${column} >= ${literal(from)} and ${column} < ${literal(to + DAY)} order by 1`)
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

/** Creates the partition of a day, unless there is one; rows of the day in the default partition move there. */
export async function createDay(
  tx: OwnerTx,
  table: Pick<PartitionedTable, "name" | "column">,
  name: string,
  day: number,
): Promise<void> {
  const parent = identifier(table.name);
  const fallback = identifier(`${table.name}_default`);
  const child = identifier(name);
  const column = identifier(table.column);
  const range = sql`${column} >= ${literal(day)} and ${column} < ${literal(day + DAY)}`;
  // Two cores may run upkeep concurrently: the second waits here and finds the partition.
  await tx.run(sql`lock table ${parent} in share update exclusive mode`);
  const [found] = await tx.rows(
    sql`select from pg_class where relname = ${name} and pg_table_is_visible(oid)`,
  );
  if (found) return;
  // Otherwise ingest could insert rows of the day into the default between the move and the attachment.
  await tx.run(sql`lock table ${fallback} in access exclusive mode`);
  const settings = await settingsOf(tx, `${table.name}_default`);
  await tx.run(
    sql`create table ${child} (like ${parent} including defaults including constraints including storage) ${settings}`,
  );
  await tx.run(sql`insert into ${child} select * from ${fallback} where ${range}`);
  await tx.run(sql`delete from ${fallback} where ${range}`);
  await tx.run(sql`
    alter table ${parent} attach partition ${child}
    for values from (${literal(day)}) to (${literal(day + DAY)})`);
}

/**
 * A `with (…)` clause of the table's storage settings, such as fillfactor, which `like` does not copy; empty
 * without any.
 */
export async function settingsOf(tx: OwnerTx, name: string): Promise<Sql> {
  const [table] = await tx.rows<{ settings: string | null }>(
    sql`select array_to_string(reloptions, ', ') as settings from pg_class where relname = ${name} and pg_table_is_visible(oid)`,
  );
  return table?.settings ? new Sql([`with (${table.settings})`], []) : sql``;
}

/** Drops the days that are older than the retention; see `dropDays`. */
export function dropPartitions(db: Database, now: number, retentionDays: number): Promise<string[]> {
  return dropDays(db, (table, day) => day < dayOf(now) - (retentionDays + table.extraDays) * DAY);
}

/**
 * Drops the day partitions that are due, oldest first. A drop that waits longer than two seconds for a lock
 * is left to the next round, so that ingest never queues behind it. Returns the names of the dropped
 * partitions.
 */
export async function dropDays(
  db: Database,
  isDue: (table: PartitionedTable, day: number) => boolean,
): Promise<string[]> {
  const dropped: string[] = [];
  // A day's keys must outlive its evidence: otherwise a resent record would become evidence a second time.
  const held = new Set<string>();
  for (const table of PARTITIONED_TABLES) {
    const due = (await partitionsOf(db, table))
      .filter((name) => isDue(table, dayOfPartition(name)) && !held.has(name.slice(-8)));
    for (const name of due) {
      if (
        !(await withLockTimeout(db, async (tx) => void await tx.run(sql`drop table ${identifier(name)}`)))
      ) {
        break;
      }
      dropped.push(name);
    }
    for (const name of due) if (!dropped.includes(name)) held.add(name.slice(-8));
  }
  return dropped;
}
