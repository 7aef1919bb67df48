// `ndr restore`: makes database and configuration those of a backup.

import process from "node:process";
import { Command } from "commander";
import { contents } from "./backup.ts";
import { BackupError } from "./backup/archive-writer.ts";
import { requireWritable } from "./backup/files.ts";
import { installedFolders, interruptible } from "./backup/installation.ts";
import { inspected, type Pass, requireTarget, restoreDatabase, restoreFiles } from "./backup/restore.ts";
import { explain, openExisting } from "./existing-database.ts";
import { databaseUrl } from "./installed.ts";
import { openDatabase } from "../store/engine/open.ts";

interface Flags {
  force?: boolean;
  configuration?: boolean;
  database: boolean;
}

const HELP = `
Stop the service first. The database must be empty; --force drops all tables in it. The whole file is compared with its
checksums before anything is changed. Then the tables are created as they were at the backup, filled, and migrated to
this version; a backup of a newer version is refused. The database may be another one than before: PostgreSQL of
another version, or the embedded one.

Until the end no service starts on the database. If the restore is interrupted, run it again with --force.

--configuration also writes the files of NDR_CONFIG_DIR (/etc/ndr) and NDR_STATE_DIR (/var/lib/ndr), with their modes,
and as root with their owners. A file that differs is kept as <file>.before-restore. Only root may write to /etc/ndr, and
only the user ndr to its database, so take two steps:

  systemctl stop ndr.target
  sudo ndr restore --configuration --no-database /var/backups/ndr/monday.tar
  sudo -u ndr ndr restore --force /var/backups/ndr/monday.tar
  systemctl start ndr.target

Exit status: 0 if everything was restored, otherwise 1.
`;

/** The subcommand; sets the process's exit status and never exits itself. */
export function restoreCommand(): Command {
  return new Command("restore")
    .description("restore a backup, also of an older version")
    .showHelpAfterError("(see ndr restore --help)")
    .argument("<file>", "a file that ndr backup wrote")
    .option("--force", "drop what the database contains")
    .option("--configuration", "also restore the configuration and the licence state")
    .option("--no-database", "leave the database alone")
    .addHelpText("after", HELP)
    .action(async (file: string, flags: Flags) => {
      process.exitCode = await interruptible(
        "ndr restore",
        (signal) => restore(file, flags, signal),
        explain,
      );
    });
}

async function restore(path: string, flags: Flags, signal: AbortSignal): Promise<void> {
  if (!flags.database && !flags.configuration) throw new BackupError("--no-database needs --configuration");
  const folders = installedFolders();
  const pass = await inspected(path, signal);
  if (flags.configuration) await requireWritable(folders);
  if (flags.database) await toDatabase(pass, flags.force ?? false);
  if (flags.configuration) {
    const restored = await restoreFiles(pass, folders);
    process.stdout.write(
      `Restored ${restored} files to ${folders.configuration} and ${folders.state}; those that differed are kept as <file>.before-restore.\n`,
    );
  }
}

async function toDatabase(pass: Pass, force: boolean): Promise<void> {
  const url = databaseUrl();
  const folder = /^embedded:(.+)$/.exec(url)?.[1];
  const isNew = folder !== undefined && await Deno.stat(folder).catch(() => null) === null;
  const db = await (isNew ? openDatabase(url) : openExisting(url));
  try {
    await requireTarget(db, force);
    const migrated = await restoreDatabase(db, pass).catch((error) => {
      throw new Error(
        `${
          explain(error)
        }\nthe database is not complete, and no service starts on it: run ndr restore --force again`,
      );
    });
    pass.progress.end();
    const upgraded = migrated.length === 0 ? "" : ` Ran the migrations ${migrated.join(", ")}.`;
    process.stdout.write(`Restored ${pass.path}: ${contents(pass.manifest)}.${upgraded}\n`);
  } finally {
    pass.progress.end();
    await db.close();
  }
}
