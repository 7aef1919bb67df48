// `ndr backup`: writes database, configuration and licence state into one file, and verifies such a file.

import process from "node:process";
import { Command } from "commander";
import { size } from "../kit/text.ts";
import { installedFolders, interruptible, scratchFolder } from "./backup/installation.ts";
import type { Manifest } from "./backup/manifest.ts";
import { CopyProgress } from "./backup/progress.ts";
import { inspected } from "./backup/restore.ts";
import { verifyBackup } from "./backup/verify.ts";
import { writeBackup } from "./backup/write.ts";
import { explain, openExisting } from "./existing-database.ts";
import { databaseUrl } from "./installed.ts";

const BACKUP_HELP = `
Writes the database as it is at one moment, the configuration in NDR_CONFIG_DIR (/etc/ndr) and the licence state of
NDR_STATE_DIR (/var/lib/ndr) into one file. The service keeps running on PostgreSQL; stop it first if the database is
embedded. The file contains tokens and keys, so only its owner may read it: keep copies in a safe place.

It is written as <file>.new and renamed when it is complete. An interrupted backup leaves nothing. While it runs,
retention drops no days. The file is a tar archive; manifest.json in it lists every table with rows and SHA-256.

The database is that of NDR_DATABASE_URL, from the environment or from ndr.env in NDR_CONFIG_DIR, so run this as the
service's user, and write to a folder where it may.

Exit status: 0 if the file is complete, otherwise 1.

Examples:
  sudo -u ndr ndr backup /var/backups/ndr/monday.tar
  sudo -u ndr ndr backup --force /var/backups/ndr/last.tar   replaces the file
  sudo -u ndr ndr backup verify /var/backups/ndr/monday.tar
  tar -tvf monday.tar                                        what is in it
`;

const VERIFY_HELP = `
Compares the file with its checksums, restores it into a scratch database, compares every table there with the file, and
runs the migrations since. The installation's database is not changed. The scratch database is made on its server if the
user may create one ("alter role ndr createdb"), otherwise as an embedded one in NDR_STATE_DIR; it needs about as much
space as the original and is removed.

Exit status: 0 if the backup can be restored, otherwise 1.

Examples:
  sudo -u ndr ndr backup verify /var/backups/ndr/monday.tar
`;

/** The subcommand; sets the process's exit status and never exits itself. */
export function backupCommand(version: string): Command {
  const backup = new Command("backup")
    .description("back up database, configuration and licence state into one file")
    .showHelpAfterError("(see ndr backup --help)")
    .argument("<file>", "where to write it")
    .option("--force", "replace the file if it exists")
    .addHelpText("after", BACKUP_HELP)
    .action(async (file: string, { force = false }: { force?: boolean }) => {
      process.exitCode = await interruptible(
        "ndr backup",
        (signal) => back(file, force, version, signal),
        explain,
      );
    });
  backup.command("verify")
    .description("restore a backup into a scratch database and compare it")
    .argument("<file>", "the backup")
    .addHelpText("after", VERIFY_HELP)
    .action(async (file: string) => {
      process.exitCode = await interruptible(
        "ndr backup verify",
        (signal) => verify(file, signal),
        explain,
      );
    });
  return backup;
}

async function back(path: string, force: boolean, program: string, signal: AbortSignal): Promise<void> {
  const folders = installedFolders();
  const db = await openExisting(databaseUrl());
  const progress = new CopyProgress("Backing up");
  try {
    const { manifest, bytes } = await writeBackup(db, { path, force, folders, program, progress, signal });
    progress.end();
    process.stdout.write(`Backed up to ${path} (${size(bytes)}): ${contents(manifest)}.\n`);
  } finally {
    progress.end();
    await db.close();
  }
}

/** `1,234,567 rows in 93 tables and 14 files, as of 2026-11-21T07:15:00.000000Z` */
export function contents({ database, files, created_at: at }: Manifest): string {
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString("en-GB");
  return `${rows} rows in ${database.tables.length} tables and ${files.length} files, as of ${at}`;
}

async function verify(path: string, signal: AbortSignal): Promise<void> {
  const pass = await inspected(path, signal);
  const { manifest, progress } = pass;
  const scratch = await scratchFolder(installedFolders());
  const url = databaseUrl();
  // The service has an embedded database open.
  const db = url.startsWith("embedded:") ? null : await openExisting(url);
  try {
    const { where, migrated } = await verifyBackup(pass, db, scratch);
    progress.end();
    const upgraded = migrated.length === 0 ? "" : ` It ran ${migrated.length} migrations since the backup.`;
    process.stdout.write(
      `${path} is a good backup: ${
        contents(manifest)
      }. Restored into ${where}, compared and removed.${upgraded}\n`,
    );
  } finally {
    progress.end();
    await db?.close();
  }
}
