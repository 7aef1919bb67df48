import { sha256Hex } from "../../../kit/hash.ts";
import type { Database, OwnerTx } from "../database.ts";
import { type Migration, MIGRATIONS } from "./migrations.ts";
import { errorCode } from "../retry.ts";
import { sql } from "../sql.ts";
import { APP_ROLE } from "../tables.ts";
import { MigrationError } from "./migration-error.ts";
import { missingRights, namedRights, requireSuitableDatabase } from "./requirements.ts";

export { MigrationError };

/** Stands among the applied migrations while a restore fills the database: no program, also no older one, uses it then. */
export const UNFINISHED_RESTORE = { version: 2 ** 31 - 1, name: "unfinished restore" };

/**
 * Migrates the database to this program's schema, under a lock and with one transaction per migration.
 * Returns the names of the migrations that ran. `onMigration` is called before each of them.
 *
 * @throws MigrationError if the database is unsuitable (encoding, collation, rights), newer, was made by a
 *   development build, or has a migration with another checksum.
 */
export async function migrate(
  db: Database,
  migrations: readonly Migration[] = MIGRATIONS,
  onMigration: (migration: Migration) => void = () => {},
): Promise<string[]> {
  await requireSuitableDatabase(db);
  await ensureRole(db);
  const ran: string[] = [];
  for (const migration of migrations) {
    const applied = await db.owner(async (tx) => {
      await tx.script(PREPARE);
      const applied = await appliedMigrations(tx, migrations);
      if (isApplied(applied, migration)) return false;
      onMigration(migration);
      await tx.script(migration.text);
      await tx.run(sql`
        insert into schema_migration (version, name, checksum)
        values (${migration.version}, ${migration.name}, ${sha256Hex(migration.text)})`);
      return true;
    });
    if (applied) ran.push(migration.name);
  }
  await requireRights(db);
  return ran;
}

/** @throws MigrationError if the users of a migrated database have too many rights, or too few */
export async function requireRights(db: Database): Promise<void> {
  await verifyRole(db);
  await verifyRights(db);
}

// Programs that start at the same time take turns: the lock is held until the transaction ends.
const PREPARE = `
  set local statement_timeout = 0;
  select pg_advisory_xact_lock(4071206);
  create table if not exists schema_migration (
    version    integer primary key,
    name       text not null,
    checksum   text not null,
    applied_at timestamptz not null default now()
  );`;

/**
 * The migrations that the database lacks, in their order. Changes nothing.
 *
 * @throws MigrationError as `migrate`, except for an unsuitable database
 */
export async function pendingMigrations(
  db: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Migration[]> {
  const applied = await db.owner(async (tx) => {
    const [table] = await tx.rows<{ exists: boolean }>(
      sql`select to_regclass('schema_migration') is not null as exists`,
    );
    return table!.exists ? await appliedMigrations(tx, migrations) : [];
  });
  return migrations.filter((migration) => !isApplied(applied, migration));
}

interface AppliedMigration {
  version: number;
  name: string;
  checksum: string;
}

async function appliedMigrations(tx: OwnerTx, known: readonly Migration[]): Promise<AppliedMigration[]> {
  const rows = await tx.rows<AppliedMigration>(
    sql`select version, name, checksum from schema_migration order by version`,
  );
  const first = rows[0]?.name;
  if (first !== undefined && first !== known[0]!.name) {
    throw new MigrationError(
      `the database was made by a development build (its first migration is "${first}") and cannot be migrated; ` +
        "start with an empty database: point NDR_DATABASE_URL at a new one, or remove the state folder " +
        "(NDR_STATE_DIR; .state in a checkout) of the embedded one",
    );
  }
  const newest = rows.at(-1);
  if (newest?.version === UNFINISHED_RESTORE.version) {
    throw new MigrationError(
      "a restore of this database has not finished: wait for it, or run ndr restore --force again",
    );
  }
  const newestKnown = known.at(-1)!.version;
  if (newest && newest.version > newestKnown) {
    throw new MigrationError(
      `the database has schema version ${newest.version} (${newest.name}), but this program supports only ` +
        `versions up to ${newestKnown}; install the version that made the database, or a newer one`,
    );
  }
  return rows;
}

function isApplied(applied: readonly AppliedMigration[], migration: Migration): boolean {
  const row = applied.find((candidate) => candidate.version === migration.version);
  if (row && row.checksum !== sha256Hex(migration.text)) {
    throw new MigrationError(
      `migration ${migration.version} (${migration.name}) was applied with a different text than this program's; ` +
        "the database was made by a modified program; install the original one",
    );
  }
  return row !== undefined;
}

/**
 * Creates the role unless it exists. It is cluster-wide: all databases of a server share it, and may start at
 * the same time.
 */
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
        end $$;`)
    );
    // A transaction of its own: one that lost the race to create the role does not see it before its end.
    await db.owner((tx) =>
      tx.script(`
        do $$
        begin
          set local role ${APP_ROLE};
          reset role;
        -- Since PostgreSQL 16, the creator of a role is a member that cannot switch to it.
        exception when insufficient_privilege then
          begin
            execute format('grant ${APP_ROLE} to %I', current_user);
          exception when unique_violation then null;
          end;
        end $$;`)
    );
  } catch (error) {
    if (errorCode(error) !== "42501") throw error;
    throw new MigrationError(
      `the database user may not create the role ${APP_ROLE}; run as a superuser: ` +
        `create role ${APP_ROLE} nologin; grant ${APP_ROLE} to <the user in NDR_DATABASE_URL>;`,
      { cause: error },
    );
  }
}

/** Superusers bypass every policy, so startup requires that transactions really run as the plain role. */
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
      }, which bypasses row-level security; expected ${APP_ROLE} ` +
        "without SUPERUSER and BYPASSRLS",
    );
  }
}

const NAMED_RIGHTS = 10;

/** Someone may have revoked rights that the migrations granted, or restored the tables as another user. */
async function verifyRights(db: Database): Promise<void> {
  const missing = await db.shared(missingRights);
  if (missing.length === 0) return;
  throw new MigrationError(
    `the database users lack rights: ${
      namedRights(missing, NAMED_RIGHTS)
    }; grant them as a superuser, for example ` +
      `grant insert on <table> to ${APP_ROLE}, or alter table <table> owner to <the user in NDR_DATABASE_URL>`,
  );
}
