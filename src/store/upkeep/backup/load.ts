// Makes an empty database that of a backup.

import { sha256Hex } from "../../../kit/hash.ts";
import { type BulkDatabase, type BulkTx, quoted } from "../../engine/bulk.ts";
import type { Database, OwnerTx } from "../../engine/database.ts";
import { migrate, UNFINISHED_RESTORE } from "../../engine/schema/migrate.ts";
import { MIGRATIONS } from "../../engine/schema/migrations.ts";
import { createDay, dayOfPartition } from "../../engine/schema/partitions.ts";
import { sql } from "../../engine/sql.ts";
import {
  type AppliedMigration,
  MIGRATION_TABLE,
  type SequenceState,
  storedColumns,
  type StoredTable,
} from "./catalogue.ts";

/** Why this program cannot restore a database of these migrations; null if it can. */
export function unsuitable(applied: readonly AppliedMigration[]): string | null {
  const newest = applied.at(-1);
  const known = MIGRATIONS.at(-1)!;
  if (newest === undefined) return "it contains no schema";
  if (newest.version > known.version) {
    return `its schema version is ${newest.version} (${newest.name}), but this program supports only versions up to ${known.version}`;
  }
  const other = applied.find(({ version, checksum }, at) =>
    MIGRATIONS[at]?.version !== version || sha256Hex(MIGRATIONS[at].text) !== checksum
  );
  return other === undefined
    ? null
    : `its migration ${other.version} (${other.name}) has a different text than this program's: a modified program made it`;
}

/** Names of the tables in the database, partitions left out. */
export async function tableNames(db: Database): Promise<string[]> {
  const rows = await db.owner((tx) =>
    tx.rows<{ name: string }>(sql`
      select relname::text as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`)
  );
  return rows.map(({ name }) => name);
}

/** Drops all tables, views and functions. */
export async function dropAll(db: Database): Promise<void> {
  if ((await tableNames(db)).includes(MIGRATION_TABLE)) await db.owner(mark);
  // One at a time: a server has locks for some thousand tables in a transaction.
  for (const statement of await dropStatements(db)) {
    await db.owner((tx) => tx.script(`set local statement_timeout = 0; ${statement}`));
  }
}

/** Partitions before their tables, and the mark last. */
async function dropStatements(db: Database): Promise<string[]> {
  const rows = await db.owner((tx) =>
    tx.rows<{ statement: string }>(sql`
      select statement from (
        select c.oid, format('drop %s if exists %I cascade', case c.relkind when 'v' then 'view' else 'table' end, c.relname)
          as statement, case when c.relispartition then 0 when c.relname = ${MIGRATION_TABLE} then 3 else 1 end as turn
        from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v')
        union all
        select p.oid, format('drop function if exists %s cascade', p.oid::regprocedure), 2 from pg_proc p
        where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
      ) found
      where not exists (select from pg_depend where objid = found.oid and deptype = 'e') order by turn, statement`)
  );
  return rows.map(({ statement }) => statement);
}

/** No program uses a database with this mark. */
async function mark(tx: OwnerTx): Promise<void> {
  await tx.run(sql`
    insert into schema_migration (version, name, checksum)
    values (${UNFINISHED_RESTORE.version}, ${UNFINISHED_RESTORE.name}, '') on conflict (version) do nothing`);
}

/** Creates the tables as the migrations made them at the time of the backup, and keeps every program out. */
export async function createSchema(db: Database, applied: readonly AppliedMigration[]): Promise<void> {
  await migrate(db, MIGRATIONS.slice(0, applied.length));
  await db.owner(mark);
}

/** Fills one table. What migrations wrote into it is replaced. */
export async function loadTable(
  db: BulkDatabase,
  table: StoredTable,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  await db.bulk(async (tx) => {
    if (table.parent !== null) await ensurePartition(tx, table.name, table.parent);
    await requireColumns(tx, table);
    await withoutPolicies(tx, table, async () => {
      const name = quoted(table.name);
      // Triggers would count the rows as changes.
      await tx.script(`alter table ${name} disable trigger user; delete from ${name}`);
      await tx.copyIn(table, pieces);
      if (table.name === MIGRATION_TABLE) await mark(tx);
      await tx.script(`alter table ${name} enable trigger user`);
    });
  });
}

/** Passes the rows of every tenant to `take`. The database must have no other user. */
export async function readRestored(
  db: BulkDatabase,
  table: StoredTable,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  await db.bulk((tx) => withoutPolicies(tx, table, () => tx.copyOut(table, take)));
}

/** The policies of tenants hold for the owner, too, and COPY does not write where one holds. */
async function withoutPolicies(tx: OwnerTx, { name }: StoredTable, work: () => Promise<void>): Promise<void> {
  const [row] = await tx.rows<{ forced: boolean }>(
    sql`select relforcerowsecurity as forced from pg_class where oid = to_regclass(quote_ident(${name}))`,
  );
  if (!row!.forced) return await work();
  await tx.script(`alter table ${quoted(name)} no force row level security`);
  await work();
  await tx.script(`alter table ${quoted(name)} force row level security`);
}

async function ensurePartition(tx: BulkTx, name: string, parent: string): Promise<void> {
  if (name === `${parent}_default`) return;
  const [key] = await tx.rows<{ column: string }>(sql`
    select a.attname::text as column from pg_partitioned_table p
    join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where p.partrelid = to_regclass(quote_ident(${parent}))`);
  if (key === undefined) throw new Error(`the schema has no partitioned table ${parent}`);
  await createDay(tx, { name: parent, column: key.column }, name, dayOfPartition(name));
}

async function requireColumns(tx: OwnerTx, { name, columns }: StoredTable): Promise<void> {
  const [found] = await tx.rows<{ columns: string[] }>(
    sql`select ${storedColumns(sql`to_regclass(quote_ident(${name}))`)} as columns`,
  );
  if (found!.columns.join() !== columns.join()) {
    throw new Error(`the table ${name} has other columns than in the backup: ${found!.columns.join(", ")}`);
  }
}

/** Completes a restored database: its sequences, and the migrations since the backup. Returns the names of those. */
export async function finishLoad(db: BulkDatabase, states: readonly SequenceState[]): Promise<string[]> {
  await db.owner(async (tx) => {
    for (const { name, last, isCalled } of states) {
      await tx.run(sql`select setval(to_regclass(quote_ident(${name})), ${last}::bigint, ${isCalled})`);
    }
    await tx.run(sql`delete from schema_migration where version = ${UNFINISHED_RESTORE.version}`);
  });
  return await migrate(db);
}
