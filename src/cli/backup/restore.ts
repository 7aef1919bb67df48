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
import { countRows, inspect, type Member, members, unpacked } from "./archive-reader.ts";
import { BackupError } from "./archive-writer.ts";
import { type Folders, restoreFile } from "./files.ts";
import { type BackedUpTable, filePlace, type Manifest } from "./manifest.ts";
import { CopyProgress } from "./progress.ts";

/** What concerns one pass over the file of a backup. */
export interface Pass {
  path: string;
  /** Of this file, as `inspect` returned it. */
  manifest: Manifest;
  progress: CopyProgress;
  signal: AbortSignal;
}

/**
 * Reads and compares the whole file, and shows how far that is. The progress returned is that of the restoring.
 *
 * @throws BackupError if the file is damaged or no backup, or made by a newer program
 */
export async function inspected(path: string, signal: AbortSignal): Promise<Pass> {
  const size = (await Deno.stat(path).catch(() => null))?.size ?? null;
  const reading = new CopyProgress("Reading the file", size);
  const manifest = await inspect(path, (bytes) => {
    signal.throwIfAborted();
    reading.add(bytes);
  }).finally(() => reading.end());
  requireSuitable(path, manifest);
  const total = manifest.database.tables.reduce((sum, { bytes }) => sum + bytes, 0);
  return { path, manifest, progress: new CopyProgress("Restoring", total), signal };
}

function requireSuitable(path: string, manifest: Manifest): void {
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
