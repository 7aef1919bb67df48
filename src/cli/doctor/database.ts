// The database as a start of the core needs it.

import { messageOf } from "../../kit/errors.ts";
import { plural } from "../../kit/text.ts";
import type { Database } from "../../store/engine/database.ts";
import { serverFacts } from "../../store/engine/postgres/session-settings.ts";
import { MigrationError, pendingMigrations, requireRights } from "../../store/engine/schema/migrate.ts";
import { MIGRATIONS } from "../../store/engine/schema/migrations.ts";
import { requireSuitableDatabase } from "../../store/engine/schema/requirements.ts";
import { explain } from "../existing-database.ts";
import type { Check } from "./finding.ts";

/** The oldest version that the statements are written for. */
const OLDEST_POSTGRES = 15;

/** Whether the tables of this program can be read. @throws what a start would throw */
export async function checkDatabase(check: Check, db: Database): Promise<boolean> {
  await requireSuitableDatabase(db);
  const server = db.engine === "postgres" ? await checkServer(check, db) : "embedded database";
  const pending = await pendingMigrations(db);
  const { version, name } = MIGRATIONS.at(-1)!;
  if (pending.length > 0) {
    check.warn(
      `${
        plural(pending.length, "migration")
      } pending up to version ${version} (${name}); a start of the core runs them`,
      "systemctl stop ndr.target && sudo -u ndr ndr migrate && systemctl start ndr.target",
    );
    return false;
  }
  await requireRights(db);
  check.pass(`${server}, reachable, schema version ${version} (${name}), with its rights and connections`);
  return true;
}

async function checkServer(check: Check, db: Database): Promise<string> {
  const { version, differing, fsync } = await db.owner(serverFacts);
  if (Number.parseInt(version) < OLDEST_POSTGRES) {
    check.fail(
      `PostgreSQL is version ${version}; the oldest supported one is ${OLDEST_POSTGRES}`,
      `apt-get install postgresql && pg_upgradecluster ${Number.parseInt(version)} main`,
    );
  }
  if (differing.length > 0) {
    check.fail(
      `what is between here and the server drops the settings of a session: ${differing.join(", ")}`,
      "sudoedit /etc/ndr/ndr.env # NDR_DATABASE_URL: name the server, not a pooler",
    );
  }
  if (!fsync) {
    check.warn(
      "fsync is off: a crash of the machine may destroy the database",
      'sudo -u postgres psql -c "alter system set fsync = on" -c "select pg_reload_conf()"',
    );
  }
  return `PostgreSQL ${version.split(" ")[0]}`;
}

/** The message of a MigrationError ends with what to do. */
export function reportFault(check: Check, error: unknown, databaseUrl: string): void {
  if (error instanceof MigrationError) {
    const [what = "", ...remedy] = messageOf(error).split("; ");
    check.fail(what, remedy.join("; "));
  } else {
    // The core makes an embedded database itself.
    const prepare = databaseUrl.startsWith("embedded:")
      ? ""
      : "systemctl start postgresql && /usr/lib/ndr/setup-database && ";
    check.fail(`cannot be used: ${explain(error)}`, `${prepare}systemctl restart ndr.target`);
  }
}
