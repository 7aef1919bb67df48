import type { BulkDatabase } from "../../store/engine/bulk.ts";
import {
  createSchema,
  dropAll,
  finishLoad,
  loadTable,
  tableNames,
  unsuitable,
} from "../../store/upkeep/backup/load.ts";
import { serviceRuns } from "../connectors/read.ts";
import { countRows, type Member, members, unpacked } from "./archive-reader.ts";
import { BackupError } from "./archive-writer.ts";
import { type Folders, restoreFile } from "./files.ts";
import { type BackedUpTable, filePlace, type Manifest } from "./manifest.ts";
import type { CopyProgress } from "./progress.ts";

/** What concerns one pass over the file of a backup. */
export interface Pass {
  path: string;
  /** Of this file, as `inspect` returned it. */
  manifest: Manifest;
  progress: CopyProgress;
  signal: AbortSignal;
}

/** @throws BackupError if this program is older than the one that made the backup */
export function requireSuitable({ path, manifest }: Pick<Pass, "path" | "manifest">): void {
  const { program, database } = manifest;
  const reason = unsuitable(database.migrations);
  if (reason !== null) {
    throw new BackupError(
      `${path} was made by ndr ${program} and cannot be restored by this version: ${reason}`,
    );
  }
}

/** @throws BackupError if a core works on the database, or it has tables and `force` is not set */
export async function requireTarget(db: BulkDatabase, force: boolean): Promise<void> {
  const tables = await tableNames(db);
  if (tables.length === 0) return;
  if (tables.includes("lease") && await serviceRuns(db)) {
    throw new BackupError(
      "the service runs on this database: stop it first. After a core was killed, wait a minute",
    );
  }
  if (!force) {
    throw new BackupError(
      `the database is not empty: it has ${tables.length} tables. --force drops them, with all that they contain`,
    );
  }
}

/**
 * Replaces the database by that of the backup and migrates it; returns the names of the migrations since the backup.
 * `onLoaded` is called before those.
 */
export async function restoreDatabase(
  db: BulkDatabase,
  pass: Pass,
  onLoaded: () => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  const { manifest: { database } } = pass;
  await dropAll(db);
  await createSchema(db, database.migrations);
  const source = members(pass.path);
  try {
    for (const table of database.tables) await loadTable(db, table, partsOf(source, table, pass));
  } finally {
    await source.return(undefined);
  }
  await onLoaded();
  const states = database.sequences.map(({ name, last, is_called: isCalled }) => ({
    name,
    last: BigInt(last),
    isCalled,
  }));
  return await finishLoad(db, states);
}

/** Text of the next table. */
async function* partsOf(
  source: AsyncGenerator<Member>,
  { name, parts }: BackedUpTable,
  { path, progress, signal }: Pass,
): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < parts;) {
    signal.throwIfAborted();
    const { value: member } = await source.next();
    if (!member) throw new BackupError(`${path} has changed`);
    if (!member.name.startsWith("database/")) continue;
    if (!member.name.startsWith(`database/${name}/`)) throw new BackupError(`${path} has changed`);
    const text = await unpacked(path, member);
    progress.add(text.length, countRows(text));
    yield text;
    part++;
  }
}

/** Writes the files of the installation; returns their number. */
export async function restoreFiles({ path }: Pick<Pass, "path">, folders: Folders): Promise<number> {
  let restored = 0;
  for await (const member of members(path)) {
    if (filePlace(member.name) === null) continue;
    await restoreFile(folders, member);
    restored++;
  }
  return restored;
}
