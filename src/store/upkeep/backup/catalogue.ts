// Which tables a database has, read from its catalogue, so that no list can forget one.

import type { Tx } from "../../engine/database.ts";
import { type Sql, sql } from "../../engine/sql.ts";

/** A table with rows of its own: a plain one, or a partition. */
export interface StoredTable {
  name: string;
  /** The partitioned table that it is a part of. */
  parent: string | null;
  columns: string[];
}

/** Number and name of a migration that ran, and the SHA-256 of its text. */
export interface AppliedMigration {
  version: number;
  name: string;
  checksum: string;
}

/** The last value that a sequence gave, and whether it did or is to give it next. */
export interface SequenceState {
  name: string;
  last: number | bigint;
  isCalled: boolean;
}

/** Loaded last: what it contains decides which program may use the database. */
export const MIGRATION_TABLE = "schema_migration";

/** In an order in which they can be filled: a table comes after those that it refers to. */
export async function storedTables(tx: Tx): Promise<StoredTable[]> {
  const rows = await tx.rows<StoredTable & { references: string[] }>(sql`
    select c.relname::text as name, p.relname::text as parent,
      ${storedColumns(sql`c.oid`)} as columns,
      array(
        select t.relname::text from pg_constraint f join pg_class t on t.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
      ) as references
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    order by c.relname = ${MIGRATION_TABLE}, c.relname collate "C"`);
  const ordered: StoredTable[] = [];
  const place = ({ references, ...table }: (typeof rows)[number]) => {
    if (ordered.some(({ name }) => name === table.name)) return;
    for (const row of rows) if (references.includes(row.name)) place(row);
    ordered.push(table);
  };
  for (const row of rows) place(row);
  return ordered;
}

/** The names of a table's columns that are written, in their order. */
export function storedColumns(oid: Sql): Sql {
  return sql`array(
    select attname::text from pg_attribute
    where attrelid = ${oid} and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
  )`;
}

/** Whether the policies of tenants hold for the current user in this table. */
export async function isRestricted(tx: Tx, { name }: StoredTable): Promise<boolean> {
  const [row] = await tx.rows<{ restricted: boolean }>(
    sql`select row_security_active(to_regclass(quote_ident(${name}))) as restricted`,
  );
  return row!.restricted;
}

export async function appliedMigrations(tx: Tx): Promise<AppliedMigration[]> {
  return await tx.rows<AppliedMigration>(
    sql`select version, name, checksum from schema_migration order by version`,
  );
}

export async function sequences(tx: Tx): Promise<SequenceState[]> {
  return await tx.rows<SequenceState>(sql`
    select sequencename::text as name, coalesce(last_value, start_value) as last, last_value is not null as "isCalled"
    from pg_sequences where schemaname = current_schema() order by 1`);
}
