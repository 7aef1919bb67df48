import type { OwnerTx } from "../../../src/store/engine/database.ts";
import { textArray } from "../../../src/store/engine/literals.ts";
import { list, type Sql, sql } from "../../../src/store/engine/sql.ts";
import { APP_ROLE } from "../../../src/store/engine/tables.ts";

/** The one table that migrations fill; {@link fingerprint} reads its rows instead. */
const FILLED = "schema_migration";
/** Objects below are PostgreSQL's own. */
const FIRST_OID = sql`16384`;

/**
 * What a migrated database has besides rows. A copy of the template has the object ids of the template, so an object that
 * was changed, added, or removed and made again shows.
 */
const PARTS: readonly Sql[] = [
  sql`select oid, relname, relkind, relowner, relacl, reloptions, relpersistence, relrowsecurity, relforcerowsecurity,
        relispartition, relhastriggers,
        -- Plans use the true size of an index.
        case when relkind = 'r' and relname <> ${FILLED} then array[relpages, reltuples] end as size
      from pg_class where relnamespace = 'public'::regnamespace`,
  sql`select attrelid, attnum, attname, atttypid, attnotnull, attacl, attoptions, attstattarget
      from pg_attribute where attrelid >= ${FIRST_OID} and attnum > 0`,
  sql`select oid, conname, conrelid, convalidated from pg_constraint where oid >= ${FIRST_OID}`,
  sql`select indexrelid, indisvalid, indisready from pg_index where indexrelid >= ${FIRST_OID}`,
  sql`select inhrelid, inhparent from pg_inherits`,
  sql`select oid, tgname, tgenabled from pg_trigger where oid >= ${FIRST_OID}`,
  sql`select oid, polname, polrelid, polcmd, polroles, polqual, polwithcheck from pg_policy`,
  sql`select oid, proname, prosrc, proconfig, proowner, proacl from pg_proc where oid >= ${FIRST_OID}`,
  sql`select oid, nspname, nspowner, nspacl from pg_namespace where nspname !~ '^pg_(toast_)?temp_'`,
  sql`select oid, extname from pg_extension`,
  sql`select oid, defaclacl from pg_default_acl`,
  sql`select setrole, setconfig from pg_db_role_setting
      where setdatabase in (0, (select oid from pg_database where datname = current_database()))`,
  sql`select datacl, datconnlimit from pg_database where datname = current_database()`,
  sql`select rolname, rolsuper, rolcreaterole, rolcanlogin, rolbypassrls, rolconnlimit
      from pg_roles where rolname in (current_user, ${APP_ROLE})`,
  sql`select sequencename, last_value from pg_sequences`,
  sql`select version, name, checksum from schema_migration`,
  sql`select starelid, staattnum from pg_statistic where starelid >= ${FIRST_OID}`,
  sql`select gid from pg_prepared_xacts where database = current_database()`,
];

/** Differs between databases if the schema, rights, settings, sequences or statistics differ. */
export async function fingerprint(tx: OwnerTx): Promise<string> {
  const hashes = PARTS.map((part) =>
    sql`(select coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') from (${part}) t)`
  );
  const [row] = await tx.rows<{ hashes: string[] }>(sql`select array[${list(hashes)}] as hashes`);
  return row!.hashes.join(" ");
}

/** The names of all tables that can hold rows. */
export async function tablesOf(tx: OwnerTx): Promise<string[]> {
  const rows = await tx.rows<{ name: string }>(
    sql`select relname::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Removes all rows with their statistics, and the tables that are not `own`, such as partitions of days. Tables are
 * truncated, which also makes their size unknown again: rows that are only deleted are still read, and count in plans.
 */
export async function emptyTables(tx: OwnerTx, own: readonly string[]): Promise<void> {
  const tables = await tx.rows<{ name: string; extra: boolean; written: boolean }>(sql`
    select oid::regclass::text as name, relname <> all (${textArray([...own])}::text[]) as extra,
      (pg_relation_size(oid) > 0 or reltuples >= 0) and relname <> ${FILLED} as written
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  const extra = tables.filter(({ extra }) => extra).map(({ name }) => name);
  if (extra.length > 0) await tx.script(`drop table ${extra.join(", ")}`);
  const written = tables.filter(({ extra, written }) => written && !extra).map(({ name }) => `only ${name}`);
  // As a replica, because the audit is append-only.
  await tx.script("set local session_replication_role = replica");
  if (written.length > 0) await tx.script(`truncate ${written.join(", ")} cascade`);
  const sequences = await tx.rows<{ name: string }>(
    sql`select seqrelid::regclass::text as name from pg_sequence where pg_sequence_last_value(seqrelid) is not null`,
  );
  await tx.script(`
    ${sequences.map(({ name }) => `alter sequence ${name} restart;`).join("")}
    delete from pg_statistic where starelid >= 16384;
    select pg_stat_reset();`);
}
