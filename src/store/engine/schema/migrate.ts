import { sha256Hex } from "../../../kit/hmac.ts";
import type { Database, OwnerTx } from "../database.ts";
import { type Migration, MIGRATIONS } from "./migrations.ts";
import { errorCode } from "../retry.ts";
import { sql } from "../sql.ts";
import { APP_ROLE } from "../tables.ts";

/** Why this program and this database do not fit; the start stops with it. */
export class MigrationError extends Error {}

/**
 * Brings the database to this program's schema: under a lock, one transaction for each migration, checksummed.
 * Returns the names of the migrations that ran.
 *
 * @throws MigrationError when the database is newer, or an applied migration has another checksum.
 */
export async function migrate(
  db: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<string[]> {
  await ensureRole(db);
  const ran: string[] = [];
  for (const migration of migrations) {
    const applied = await db.owner(async (tx) => {
      await tx.script(PREPARE);
      if (await isApplied(tx, migration, migrations)) return false;
      await tx.script(migration.text);
      await tx.run(sql`
        insert into schema_migration (version, name, checksum)
        values (${migration.version}, ${migration.name}, ${sha256Hex(migration.text)})`);
      return true;
    });
    if (applied) ran.push(migration.name);
  }
  await verifyRole(db);
  return ran;
}

// Two programs that start together take turns: the lock is held until the transaction ends.
const PREPARE = `
  set local statement_timeout = 0;
  select pg_advisory_xact_lock(4071206);
  create table if not exists schema_migration (
    version    integer primary key,
    name       text not null,
    checksum   text not null,
    applied_at timestamptz not null default now()
  );`;

async function isApplied(tx: OwnerTx, migration: Migration, known: readonly Migration[]): Promise<boolean> {
  const rows = await tx.rows<{ version: number; name: string; checksum: string }>(
    sql`select version, name, checksum from schema_migration order by version`,
  );
  const newest = rows.at(-1);
  const newestKnown = known.at(-1)!.version;
  if (newest && newest.version > newestKnown) {
    throw new MigrationError(
      `the database has schema version ${newest.version} (${newest.name}), this program knows up to ` +
        `${newestKnown}; install the program that made it, or a newer one`,
    );
  }
  const row = rows.find((candidate) => candidate.version === migration.version);
  if (row && row.checksum !== sha256Hex(migration.text)) {
    throw new MigrationError(
      `migration ${migration.version} (${migration.name}) was applied from another text than this program's; ` +
        "the database was made by a modified program",
    );
  }
  return row !== undefined;
}

/** The role is cluster-wide; several databases of one server share it, and may start at the same time. */
async function ensureRole(db: Database): Promise<void> {
  try {
    await db.owner((tx) =>
      tx.script(`
        do $$
        begin
          if not exists (select from pg_roles where rolname = '${APP_ROLE}') then
            create role ${APP_ROLE} nologin nosuperuser nobypassrls;
          end if;
        exception when duplicate_object or unique_violation then null;
        end $$;
        do $$
        begin
          set local role ${APP_ROLE};
          reset role;
        -- A member since PostgreSQL 16 may be one that cannot become the role, as its maker is.
        exception when insufficient_privilege then
          execute format('grant ${APP_ROLE} to %I', current_user);
        end $$;`)
    );
  } catch (error) {
    if (errorCode(error) !== "42501") throw error;
    throw new MigrationError(
      `the database user may not create the role ${APP_ROLE}; as a superuser run: ` +
        `create role ${APP_ROLE} nologin; grant ${APP_ROLE} to <the user in NDR_DATABASE_URL>;`,
      { cause: error },
    );
  }
}

/** A superuser passes every policy, so nothing starts unless transactions really run as the plain role. */
async function verifyRole(db: Database): Promise<void> {
  const [role] = await db.shared((tx) =>
    tx.rows<{ name: string; unbound: boolean }>(
      sql`select current_user::text as name, rolsuper or rolbypassrls as unbound from pg_roles where rolname = current_user`,
    )
  );
  if (!role || role.name !== APP_ROLE || role.unbound) {
    throw new MigrationError(
      `transactions run as ${
        role?.name ?? "an unknown role"
      }, which passes row-level security; expected ${APP_ROLE} ` +
        "without SUPERUSER and BYPASSRLS",
    );
  }
}
