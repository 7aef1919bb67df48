// `ndr migrate`: brings the database to this program's schema.

import process from "node:process";
import { Command } from "commander";
import { plural, span } from "../kit/text.ts";
import { migrate, pendingMigrations } from "../store/engine/schema/migrate.ts";
import { MIGRATIONS } from "../store/engine/schema/migrations.ts";
import { serviceRuns } from "./connectors/read.ts";
import { explain, openExisting } from "./existing-database.ts";
import { databaseUrl } from "./installed.ts";

const HELP = `
ndr core does the same at its start; this command does it beforehand, with progress, for example after an upgrade of a
large database. It uses the database of NDR_DATABASE_URL, from the environment or from ndr.env in NDR_CONFIG_DIR
(/etc/ndr), so run it as the service's user. Each migration is one transaction: stopped halfway, the command continues
where it was. It refuses while a core works on the database, and a database that a newer program has migrated.

Exit status: 0 if nothing is pending any more (with --dry-run: if the list could be made), otherwise 1.

Examples:
  sudo -u ndr ndr migrate --dry-run
  sudo systemctl stop ndr.target && sudo -u ndr ndr migrate && sudo systemctl start ndr.target
`;

/** The subcommand; sets the process's exit status and never exits itself. */
export function migrateCommand(): Command {
  return new Command("migrate")
    .description("run the pending migrations of the database; stop the service first")
    .option("--dry-run", "only list them")
    .addHelpText("after", HELP)
    .action(async ({ dryRun }: { dryRun?: boolean }) => {
      try {
        process.exitCode = await run(dryRun ?? false) ? 0 : 1;
      } catch (error) {
        explain(error).split("\n").forEach(say);
        process.exitCode = 1;
      }
    });
}

async function run(isDry: boolean): Promise<boolean> {
  const db = await openExisting(databaseUrl());
  try {
    const pending = await pendingMigrations(db);
    const newest = MIGRATIONS.at(-1)!;
    if (isDry || pending.length === 0) {
      for (const { version, name } of pending) print(`${version} ${name}`);
      if (pending.length === 0) {
        print(`nothing is pending: the schema is version ${newest.version} (${newest.name})`);
      }
      return true;
    }
    // Without any migration there is no table of leases.
    if (pending.length < MIGRATIONS.length && await serviceRuns(db)) {
      say(
        `a core works on this database, and ${
          plural(pending.length, "migration")
        } would change it underneath: ` +
          "stop it first with systemctl stop ndr.target",
      );
      return false;
    }
    const started = performance.now();
    let number = 0;
    const ran = await migrate(db, MIGRATIONS, ({ version, name }) => {
      print(`${++number} of ${pending.length}: ${version} ${name}`);
    });
    const took = span(performance.now() - started);
    print(
      `${
        plural(ran.length, "migration")
      } in ${took}: the schema is version ${newest.version} (${newest.name})`,
    );
    return true;
  } finally {
    await db.close();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function say(text: string): void {
  process.stderr.write(`ndr migrate: ${text}\n`);
}
