import type { Database, Tx } from "../database.ts";
import { textArray } from "../literals.ts";
import { sql } from "../sql.ts";
import { POOL_SIZE } from "../postgres/pool.ts";
import { GLOBAL_TABLES, INSERT_ONLY_TABLES } from "../tables.ts";
import { MigrationError } from "./migration-error.ts";

/** Texts in the order of their code points, which differs from every linguistic order. */
const ORDERED = ["-b", "A", "B", "_", "a", "a-c", "ab", "\u00e9", "\u{1f600}"];

/** Only the owner uses `schema_migration`. */
const WRITTEN_GLOBAL_TABLES = GLOBAL_TABLES.filter((name) => name !== "schema_migration");

interface Properties {
  name: string;
  encoding: string;
  collation: string;
  user: string;
  schema: string;
  /** Whether the user may create tables, which the daily partitions need too. */
  creates: boolean;
  /** Connections that the server, the database and the user may have; -1 without a limit. */
  server: number;
  database: number;
  role: number;
}

/**
 * Checks what the migrations build on: text is stored as UTF-8 and compared by code points, which prefix
 * searches and the order of keys rely on, and the login role may create tables.
 *
 * @throws MigrationError with the command that makes a suitable database or grants the right.
 */
export async function requireSuitableDatabase(db: Database): Promise<void> {
  const { name, encoding, collation, user, schema, creates, sorted, ...limits } = await db.owner(
    async (tx) => {
      const [database] = await tx.rows<Properties>(sql`
      select datname::text as name, pg_encoding_to_char(encoding)::text as encoding, datcollate::text as collation,
        current_user::text as "user", coalesce(current_schema()::text, 'public') as schema,
        coalesce(has_schema_privilege(current_user, current_schema(), 'create'), false) as creates,
        current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
          - coalesce(current_setting('reserved_connections', true), '0')::integer as server,
        case when rolsuper then -1 else datconnlimit end as database,
        case when rolsuper then -1 else rolconnlimit end as role
      from pg_database, pg_roles where datname = current_database() and rolname = session_user`);
      if (database!.encoding !== "UTF8") return { ...database!, sorted: [] };
      const rows = await tx.rows<{ word: string }>(
        sql`select word from unnest(${textArray(ORDERED)}::text[]) as word order by word`,
      );
      return { ...database!, sorted: rows.map(({ word }) => word) };
    },
  );
  const remedy = "make a suitable one and name it in NDR_DATABASE_URL: " +
    "createdb --template=template0 --encoding=UTF8 --locale=C <name>";
  if (encoding !== "UTF8") {
    throw new MigrationError(
      `the database ${name} has the encoding ${encoding}, but UTF8 is needed; ${remedy}`,
    );
  }
  if (sorted.join() !== ORDERED.join()) {
    throw new MigrationError(
      `the database ${name} has the collation ${collation}, but one that sorts by code points is needed ` +
        `(C or C.UTF-8); ${remedy}`,
    );
  }
  if (!creates) {
    throw new MigrationError(
      `the database user ${user} may not create tables in the schema ${schema} of the database ${name}; ` +
        `run as its owner or a superuser: grant create, usage on schema ${schema} to ${user};`,
    );
  }
  if (db.engine === "postgres") requireConnections({ name, user, ...limits });
}

/** Limits of connections, with how to raise each. */
const LIMITS = [
  ["server", () => "the server", () => `set max_connections in postgresql.conf`],
  [
    "database",
    ({ name }) => `the database ${name}`,
    ({ name }) => `alter database ${name} connection limit -1;`,
  ],
  [
    "role",
    ({ user }) => `the database user ${user}`,
    ({ user }) => `alter role ${user} connection limit -1;`,
  ],
] satisfies [
  keyof Properties,
  (found: Pick<Properties, "name" | "user">) => string,
  (found: Pick<Properties, "name" | "user">) => string,
][];

/** @throws MigrationError if the service cannot have all its connections, not even when it is alone. */
function requireConnections(found: Pick<Properties, "name" | "user" | "server" | "database" | "role">): void {
  for (const [limit, what, remedy] of LIMITS) {
    if (found[limit] < 0 || found[limit] >= POOL_SIZE) continue;
    throw new MigrationError(
      `${what(found)} has ${found[limit]} connections, but the service uses up to ${POOL_SIZE}; ` +
        `run as a superuser: ${remedy(found)}`,
    );
  }
}

/**
 * What the plain role may not do with its tables, and the login role not with the schema; empty if nothing is
 * missing: `insert on raw_batch for ndr_app`.
 */
export async function missingRights(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ missing: string }>(sql`
    with needed as (
      select c.oid, c.relname, c.relowner, p.name as privilege
      from pg_class c, unnest(array['select', 'insert', 'update', 'delete']) as p (name)
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and (c.relrowsecurity or c.relname = any(${textArray(WRITTEN_GLOBAL_TABLES)}::text[]))
        and (p.name in ('select', 'insert') or c.relname <> all(${textArray(INSERT_ONLY_TABLES)}::text[]))
    )
    select privilege || ' on ' || relname || ' for ' || current_user as missing from needed
    where not has_table_privilege(oid, privilege)
    union all
    select distinct 'ownership of ' || relname || ' for ' || session_user from needed
    where not pg_has_role(session_user, relowner, 'usage')
    union all
    select 'create on schema ' || current_schema() || ' for ' || session_user
    where not has_schema_privilege(session_user, current_schema(), 'create')
    order by 1`);
  return rows.map(({ missing }) => missing);
}

/** Names at most `most` missing rights. */
export function namedRights(missing: readonly string[], most: number): string {
  const named = missing.slice(0, most);
  const more = missing.length > most ? [`and ${missing.length - most} more`] : [];
  return [...named, ...more].join(", ");
}
